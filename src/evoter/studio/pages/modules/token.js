// The token of this tab: taken from the address once, kept for the tab, never left in the address bar.
const KEY = "evoter-token";

// Without a store, as in a browser that forbids it, the token lasts until the page is left.
function remember(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    kept[key] = value;
  }
}
function recall(key) {
  try {
    return sessionStorage.getItem(key) ?? kept[key] ?? null;
  } catch {
    return kept[key] ?? null;
  }
}
const kept = {};

export function takeToken() {
  const found = /^#token=([\w-]+)/.exec(location.hash);
  if (found) {
    remember(KEY, found[1]);
    history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  }
  return recall(KEY);
}

// Takes the token of a link that somebody pastes; answers whether it has one.
export function takeLink(link) {
  const found = /(?:#token=|^)([\w-]{20,})$/.exec(link.trim());
  if (found) remember(KEY, found[1]);
  return Boolean(found);
}

export const token = () => recall(KEY);

// Events carry the id of the tab that caused them, so that a tab can tell its own changes from those of others.
export const tabId = crypto.getRandomValues(new Uint32Array(3)).join("-");
