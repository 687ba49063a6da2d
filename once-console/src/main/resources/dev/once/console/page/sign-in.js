import { keepToken } from './api.js';
import { h } from './dom.js';

// Asks for a token; the server says who that is.
export function signIn(then, wasWrong) {
  const token = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'off', required: true });
  return h('section', { class: 'sheet sign-in' },
    h('h1', {}, 'Sign in'),
    h('form', { onsubmit: (event) => { event.preventDefault(); keepToken(token.value.trim()); then(); } },
      h('label', { for: 'token' }, 'Token'), token,
      wasWrong && h('p', { class: 'error', role: 'alert' }, 'This token is not valid.'),
      h('button', { class: 'main', type: 'submit' }, 'Sign in'),
      h('p', { class: 'muted' }, 'It is kept until this tab is closed.')));
}
