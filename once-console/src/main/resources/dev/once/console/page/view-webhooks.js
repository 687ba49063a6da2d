import { read } from './api.js';
import { actionButton } from './action.js';
import { h, sheet } from './dom.js';
import { badge, when } from './format.js';
import { go, link } from './route.js';
import { filters, keepTenant, tenantField, tenantOf } from './table.js';

export async function webhooks({ me, parameters, reload }) {
  const tenant = tenantOf(me, parameters);
  keepTenant(tenant);
  const endpoints = tenant ? (await read('webhooks', { tenant })).endpoints : [];
  return [
    h('h1', {}, 'Webhooks'),
    tenantField(me).length > 0 && sheet('', filters(tenantField(me), { tenant }, (values) => go('webhooks', values))),
    sheet(tenant ? `Endpoints of ${tenant}` : '', !tenant ? h('p', {}, 'Name a tenant.')
      : endpoints.length === 0 ? h('p', { class: 'muted' }, 'There is no endpoint.')
        : h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Endpoints' }, h('table', {},
          h('thead', {}, h('tr', {}, ['State', 'Endpoint', 'URL', 'Types', 'Since', 'Last failure', ''].map((it) => h('th', { scope: 'col' }, it || h('span', {}, 'Actions'))))),
          h('tbody', {}, endpoints.map((it) => h('tr', {},
            h('td', {}, badge(it.state)), h('th', { scope: 'row' }, it.endpoint), h('td', { class: 'mono' }, it.url ?? ''),
            h('td', {}, it.types.length ? it.types.join(', ') : 'all'),
            h('td', { class: 'time' }, when(it.disabled_at ?? it.failing_since)),
            h('td', {}, it.disabled_reason ?? it.last_failure ?? ''),
            h('td', {}, it.state === 'disabled'
              ? actionButton({ me, action: 'enable-endpoint', title: 'Enable', body: { tenant, endpoint: it.endpoint }, then: reload, text: 'All that waits is sent, in order.' })
              : actionButton({ me, action: 'disable-endpoint', title: 'Disable', body: { tenant, endpoint: it.endpoint }, then: reload, danger: true, text: 'It is not called any more. Its messages wait.' })))))))),
    tenant && me.sections.includes('jobs') && h('p', {}, h('a', { href: link('jobs', { tenant, queue: 'webhooks', state: '' }) }, 'Deliveries that wait'), ' · ',
      h('a', { href: link('jobs', { tenant, queue: 'webhooks', state: 'dead' }) }, 'Deliveries that were given up')),
  ];
}
