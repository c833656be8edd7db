// Switches notifications on and off for this browser (Web Push).
const place = document.getElementById("push");

async function known() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker ? worker.pushManager.getSubscription() : null;
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
  place.hidden = false;
  button.onclick = () => {
    (subscription ? switchOff(subscription) : switchOn()).then(show, () => show(place.dataset.failed));
  };
}

if (place && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) show();
