// A button that asks why, and then acts. Only what the user may do is shown.
import { act } from './api.js';
import { h, say } from './dom.js';

let ids = 0;

/**
 * fields: [{ name, title, type, value, hint }], sent beside `body`.
 */
export function actionButton({ me, action, title, text, body, fields = [], then, danger }) {
  if (!me.actions.includes(action)) {
    return null;
  }
  return h('button', { type: 'button', class: danger ? 'danger' : '', 'data-action': action,
    onclick: () => open({ action, title, text, body, fields, then, danger }) }, title);
}

function open({ action, title, text, body, fields, then, danger }) {
  const heading = `dialog-${++ids}`;
  const reason = h('input', { name: 'reason', id: `${heading}-reason`, required: true, maxlength: 150, autocomplete: 'off' });
  const error = h('p', { class: 'error', role: 'alert' });
  const confirm = h('button', { class: danger ? 'danger' : 'main', type: 'submit' }, title);
  const form = h('form', { onsubmit: (event) => { event.preventDefault(); perform(); } },
    h('h2', { id: heading }, title), h('p', {}, text),
    fields.map((it) => field(it, heading)),
    h('label', { for: reason.id }, 'Reason, for the audit trail', reason), error,
    h('div', { class: 'buttons' },
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Back'), confirm));
  const dialog = h('dialog', { 'aria-labelledby': heading, onclose: () => dialog.remove() }, form);

  async function perform() {
    const given = {};
    for (const it of fields) {
      const input = form.elements.namedItem(it.name);
      given[it.name] = it.type === 'checkbox' ? input.checked : input.value;
    }
    confirm.disabled = true;
    try {
      await act(action, { ...body, ...given, reason: reason.value });
      dialog.close();
      say(`${title}: done`);
      then();
    } catch (failure) {
      error.textContent = failure.message;
      confirm.disabled = false;
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}

function field(it, heading) {
  const id = `${heading}-${it.name}`;
  const input = it.type === 'area'
    ? h('textarea', { id, name: it.name }, it.value ?? '')
    : h('input', { id, name: it.name, type: it.type ?? 'text', value: it.type === 'checkbox' ? null : it.value ?? '', autocomplete: 'off' });
  return it.type === 'checkbox'
    ? h('label', { for: id, class: 'check' }, input, it.title)
    : h('label', { for: id }, it.title, input);
}
