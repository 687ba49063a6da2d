// Tables that are read page by page, and the filters above them.
import { h, scroll } from './dom.js';
import { pages } from './pages.js';

/**
 * columns: [title, cell of a row, class]; fetchPage: the cursor to { rows, next, searched }.
 */
export async function pagedTable({ caption, columns, fetchPage, empty }) {
  const body = h('tbody');
  const more = await pages({
    fetchPage,
    add: (page) => {
      body.append(...page.rows.map((row) =>
        h('tr', {}, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))));
      return page.rows.length;
    },
    empty,
    shown: (count) => `${count} shown`,
  });
  return h('div', {},
    scroll(caption,
      h('table', {}, h('caption', {}, caption),
        h('thead', {}, h('tr', {}, columns.map(([title, , kind]) => h('th', { scope: 'col', class: kind }, title)))),
        body)),
    more);
}

/** A form of filters; `then` gets its values. */
export function filters(fields, values, then) {
  const form = h('form', { class: 'filters', onsubmit: (event) => {
    event.preventDefault();
    then(Object.fromEntries(new FormData(form)));
  } },
  fields.map(({ name, title, options, type }) => {
    const id = `filter-${name}`;
    const input = options
      ? h('select', { id, name }, options.map(([value, text]) =>
        h('option', { value, selected: (values[name] ?? '') === value }, text)))
      : h('input', { id, name, type: type ?? 'text', value: values[name] ?? '', autocomplete: 'off', spellcheck: 'false' });
    return h('label', { for: id }, title, input);
  }),
  h('button', { class: 'main', type: 'submit' }, 'Find'));
  return form;
}

/** The tenant of a user who sees one alone needs no field. */
export const tenantField = (me) =>
  (me.tenants?.length === 1 ? [] : [me.tenants
    ? { name: 'tenant', title: 'Tenant', options: me.tenants.map((it) => [it, it]) }
    : { name: 'tenant', title: 'Tenant' }]);

export const tenantOf = (me, parameters) => parameters.tenant || me.tenants?.[0] || sessionStorage.getItem('once-tenant') || '';

export function keepTenant(tenant) {
  if (tenant) {
    sessionStorage.setItem('once-tenant', tenant);
  }
}
