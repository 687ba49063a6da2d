import { read } from './api.js';
import { actionButton } from './action.js';
import { bar } from './chart.js';
import { facts, h, scroll, sheet } from './dom.js';
import { badge, exact, length, tone, when } from './format.js';
import { go, link } from './route.js';
import { filters, keepTenant, pagedTable, tenantField, tenantOf } from './table.js';

const STATES = ['running', 'compensating', 'failed', 'completed', 'cancelled'].map((it) => [it, it]);

export async function runs({ me, parameters }) {
  const tenant = tenantOf(me, parameters);
  keepTenant(tenant);
  const state = parameters.state || 'running';
  const found = tenant && await pagedTable({
    caption: `Runs of ${tenant} that are ${state}`,
    empty: 'There is no such run.',
    columns: [
      ['State', (it) => badge(it.state)],
      ['Run', (it) => h('a', { href: link('run', { tenant: it.tenant, run: it.run }), class: 'mono' }, it.run)],
      ['Workflow', (it) => `${it.workflow} v${it.version}`],
      ['Started', (it) => when(it.started_at), 'time'],
      ['Ended', (it) => when(it.ended_at), 'time'],
      ['Failure', (it) => it.failure ?? ''],
    ],
    fetchPage: async (after) => {
      const page = await read('runs', { tenant, state, after });
      return { rows: page.runs, next: page.next };
    },
  });
  return [
    h('h1', {}, 'Workflow runs'),
    sheet('', filters([...tenantField(me), { name: 'state', title: 'State', options: STATES }], { ...parameters, tenant, state },
      (values) => go('runs', values))),
    sheet('', found || h('p', {}, 'Name a tenant.')),
  ];
}

export async function run({ me, parameters, reload }) {
  const which = { tenant: parameters.tenant, run: parameters.run };
  const it = await read('runs/one', which);
  const hasEnded = ['completed', 'failed', 'cancelled'].includes(it.state);
  return [
    h('h1', {}, badge(it.state), ` ${it.run}`),
    it.waits.length > 0 && h('section', { class: 'note warn' }, h('h2', {}, 'Why is it waiting?'),
      h('ul', {}, it.waits.map((wait) => h('li', {}, wait.what, wait.until && [', ', when(wait.until)])))),
    h('div', { class: 'actions' },
      !hasEnded && actionButton({ me, action: 'cancel-run', title: 'Cancel', body: which, then: reload, danger: true,
        text: 'The run does nothing new, the step that runs is not interrupted, and what is done is compensated.' }),
      it.state !== 'completed' && actionButton({ me, action: 'resume-run', title: 'Resume', body: which, then: reload,
        text: 'A run that failed, or whose job is a dead letter, continues: steps that failed are attempted again, those that are done stay done.' })),
    sheet('Run', facts([
      ['Tenant', it.tenant], ['Workflow', `${it.workflow} v${it.version}`], ['Started', exact(it.started_at)],
      ['Ended', it.ended_at && exact(it.ended_at)], ['Activations', it.activations],
      ['Cancel requested', it.cancel_requested ? 'yes' : ''], ['Failure', it.failure],
    ])),
    sheet('Steps', steps(it), !it.steps_shown_all && h('p', { class: 'muted' }, 'There are more steps: ./once runs show prints all.')),
  ];
}

function steps(it) {
  if (it.steps.length === 0) {
    return h('p', { class: 'muted' }, 'No step has begun.');
  }
  const start = Date.parse(it.started_at);
  const end = it.ended_at ? Date.parse(it.ended_at) : Date.now();
  const over = (step) => (['begun', 'waiting'].includes(step.state) ? end : Date.parse(step.changed_at));
  return scroll('Steps', h('table', {},
    h('caption', {}, 'Steps in the order of the code; bars from the start of the run to its end, or to now'),
    h('thead', {}, h('tr', {}, ['Place', 'Step', 'State', 'When', 'Took', 'Failure'].map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, it.steps.map((step) => h('tr', {},
      h('td', { class: 'mono' }, step.path),
      h('th', { scope: 'row' }, step.name, step.kind !== 'step' && h('div', { class: 'muted' }, step.kind)),
      h('td', {}, badge(step.state)),
      h('td', {}, bar(Date.parse(step.started_at), over(step), start, end, tone(step.state)),
        step.due_at && ['begun', 'waiting'].includes(step.state) && h('div', { class: 'muted' }, 'until ', when(step.due_at))),
      h('td', { class: 'time' }, length((over(step) - Date.parse(step.started_at)) / 1000)),
      h('td', {}, step.failed_attempts > 0 && `${step.failed_attempts} failed `, step.failure ?? ''))))));
}
