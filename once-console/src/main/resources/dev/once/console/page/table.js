// A table that is read page by page: the next page starts after the last row, and nothing counts all rows.
import { h } from './dom.js';

// A search may read many rows without a hit. It goes on by itself for so many calls.
const MAX_CALLS = 25;

/**
 * columns: [title, cell of a row, class]; fetchPage: the cursor to { rows, next }.
 */
export async function pagedTable({ caption, columns, fetchPage, empty }) {
  const body = h('tbody');
  const more = h('div', { class: 'more' });
  let count = 0;

  async function load(after) {
    let next = after;
    let found = 0;
    let calls = 0;
    do {
      const page = await fetchPage(next);
      next = page.next;
      found += page.rows.length;
      body.append(...page.rows.map((row) =>
        h('tr', {}, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))));
      calls += 1;
    } while (next && found === 0 && calls < MAX_CALLS && body.isConnected !== false);
    count += found;
    const isSparse = next && found === 0;
    more.replaceChildren(
      ...(count === 0 && !next ? [h('p', { class: 'muted' }, empty)] : []),
      ...(next ? [
        h('button', { type: 'button', onclick: (event) => { event.target.disabled = true; load(next); } },
          isSparse ? 'Search further' : 'More'),
        h('span', { class: 'muted' }, isSparse ? 'nothing found so far' : `${count} shown`),
      ] : []));
  }

  await load(undefined);
  return h('div', {},
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
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
