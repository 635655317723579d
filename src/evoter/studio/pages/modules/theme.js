// Dark or light: as the system says, until a person chooses.
const KEY = "evoter-theme";

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function theme() {
  return chosen() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

export function toggleTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice then lasts for this page only.
  }
  document.documentElement.dataset.theme = next;
  return next;
}
