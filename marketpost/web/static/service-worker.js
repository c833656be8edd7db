// Shows what the service pushes, also while no page is open, and opens the game when it is clicked.
"use strict";

self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  event.waitUntil(self.registration.showNotification("Marketpost", { body: told.text, tag: told.tag, renotify: Boolean(told.tag), data: told.link }));
});

async function openPage(link) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => each.url.split("?")[0] === link);
  return page ? page.focus() : self.clients.openWindow(link);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data || "/"));
});

// Shows a page of ours when there is no network. Nothing else is kept: a board must be the newest or none.
const KEPT = "offline-2";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(["/offline", "./marketpost.css"])));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => caches.match("/offline")));
});
