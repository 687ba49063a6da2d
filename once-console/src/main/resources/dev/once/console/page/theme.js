// Light, dark, or as the system says.
import { h } from './dom.js';

const KEY = 'once-theme';
const root = document.documentElement;
const kept = localStorage.getItem(KEY);
if (kept) {
  root.dataset.theme = kept;
}

const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

export function themeButton() {
  const label = () => (isDark() ? 'Light' : 'Dark');
  const button = h('button', {
    type: 'button',
    onclick: () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      localStorage.setItem(KEY, root.dataset.theme);
      button.textContent = label();
    },
  }, label());
  return button;
}
