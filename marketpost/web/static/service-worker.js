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
