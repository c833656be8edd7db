// Switches notifications on and off for this browser (Web Push).
const place = document.getElementById("push");

// The service knows a browser by the beginning of the SHA-256 of its endpoint.
async function idOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// After signing out the browser still has its subscription, but nobody is told by it: then there is none.
async function known() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const found = worker ? await worker.pushManager.getSubscription() : null;
  return found && place.dataset.ids.split(" ").includes(await idOf(found.endpoint)) ? found : null;
}

async function send(path, values) {
  const body = new URLSearchParams({ token: place.dataset.token, ...values });
  const answer = await fetch(path, { method: "POST", body });
  if (!answer.ok) throw new Error(String(answer.status));
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return place.dataset.denied;
  await navigator.serviceWorker.register("/service-worker.js");
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: place.dataset.key });
  await send("/push", { subscription: JSON.stringify(subscription) });
  place.dataset.ids += ` ${await idOf(subscription.endpoint)}`;
  return place.dataset.done;
}

async function switchOff(subscription) {
  await send("/push/off", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
  return "";
}

async function show(told = "") {
  const button = place.querySelector("button");
  const subscription = await known();
  button.textContent = subscription ? place.dataset.off : place.dataset.on;
  place.querySelector("[role=status]").textContent = told;
  button.hidden = false;
  button.onclick = () => {
    (subscription ? switchOff(subscription) : switchOn()).then(show, () => show(place.dataset.failed));
  };
}

if (place && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) show();
