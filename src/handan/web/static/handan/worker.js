// Without a network: the ladder as it was seen last by everybody, else a page that says so. What only members see is never
// kept: ladders are asked for anew without cookies.
"use strict";

const KEPT = "handan-1";
const OFFLINE = "/offline/";
const isLadder = (url) => /^\/[a-z][a-z0-9-]*\/$/.test(url.pathname) && url.pathname !== OFFLINE;
const keep = async (path) => {
  const answer = await fetch(path, { credentials: "omit" });
  if (answer.ok && !answer.redirected) await (await caches.open(KEPT)).put(path, answer);
};

self.addEventListener("install", (event) => event.waitUntil(keep(OFFLINE).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const withoutNetwork = async (url) => {
  const kept = (await caches.match(url.pathname)) || (await caches.match(OFFLINE));
  if (!kept) return Response.error();
  const page = (await kept.text()).replace("hidden data-offline", "data-offline");
  return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
};
const part = async (request) => {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
    return answer;
  } catch (error) {
    return (await caches.match(request)) || Response.error();
  }
};

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => withoutNetwork(url)));
    if (isLadder(url)) event.waitUntil(keep(url.pathname).catch(() => {}));
  } else if (/\/static\/|\/style\.css$/.test(url.pathname)) {
    event.respondWith(part(event.request));
  }
});
