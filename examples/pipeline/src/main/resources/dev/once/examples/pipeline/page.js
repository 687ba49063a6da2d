'use strict';

const PAUSE_MILLIS = 1000;

function element(id) {
  return document.getElementById(id);
}

function put(id, value) {
  element(id).textContent = String(value);
}

/** Returns a row of cells: {text, kind}. Data becomes text and never markup. */
function row(cells, kind) {
  const line = document.createElement('tr');
  if (kind) {
    line.className = kind;
  }
  for (const cell of cells) {
    const column = document.createElement('td');
    column.textContent = String(cell.text);
    if (cell.kind) {
      column.className = cell.kind;
    }
    line.append(column);
  }
  return line;
}

function time(text) {
  const when = new Date(text);
  return Number.isNaN(when.getTime()) ? '' : when.toLocaleTimeString();
}

function lag(step, done, behind) {
  const bar = step.querySelector('progress');
  bar.max = Math.max(1, done + behind);
  bar.value = done;
  step.querySelector('.lag-text').textContent = behind === 0 ? 'caught up' : behind + ' behind';
  step.classList.toggle('behind', behind > 0);
}

function part(step, parts) {
  const own = parts.find((it) => it.name === step.id);
  const line = step.querySelector('.part');
  line.textContent = '';
  step.classList.toggle('down', own !== undefined && own.state !== 'running');
  if (own) {
    const state = document.createElement('span');
    state.className = own.state;
    state.textContent = own.state;
    line.append(own.name + ' ', state, own.kills === 0 ? '' : ', killed ' + own.kills + (own.kills === 1 ? ' time' : ' times'));
  }
}

function consumer(it, parts, sink) {
  const step = element(it.handler);
  step.querySelector('.settled').textContent = String(it.settled);
  lag(step, it.settled, it.lag);
  part(step, parts);
  const states = Object.entries(it.states).map(([state, count]) => count + ' ' + state);
  step.querySelector('.states').textContent = 'registry: ' + (states.join(', ') || 'empty');
  step.querySelector('.sink').textContent = sink;
}

function sinkOf(handler, status) {
  switch (handler) {
    case 'instance_worker':
      return status.graph.documents + ' documents, ' + status.graph.changes + ' writes';
    case 'ontology_worker':
      return status.type_graph.nodes + ' nodes, ' + status.type_graph.edges + ' edges, '
        + status.type_graph.changes + ' writes';
    default:
      return status.read_model.documents + ' documents found by a search';
  }
}

function event(it) {
  const kind = it.type.endsWith('.deleted') ? 'deleted' : '';
  return row([
    {text: time(it.time)},
    {text: it.type},
    {text: it.id, kind: 'text'},
    {text: it.seq, kind: 'count'},
    {text: it.event_id},
  ], kind);
}

function found(it) {
  return row([
    {text: it._source.id, kind: 'text'},
    {text: it._source.type},
    {text: it._source.name},
    {text: it._version, kind: 'count'},
  ]);
}

function process(it) {
  return row([
    {text: it.name},
    {text: it.state, kind: it.state},
    {text: it.pid, kind: 'count'},
    {text: it.kills, kind: 'count'},
    {text: time(it.since)},
  ]);
}

function show(status) {
  put('log-events', status.log.events);
  put('log-instances', status.log.instances);
  put('log-ontologies', status.log.ontologies);
  put('relay-published', status.relay.published);
  put('relay-fence', status.relay.fence);
  put('relay-position', status.relay.position || 'the start of the log');
  const relay = element('message_relay');
  lag(relay, status.relay.published, status.relay.lag);
  part(relay, status.parts);
  for (const it of status.consumers) {
    consumer(it, status.parts, sinkOf(it.handler, status));
  }
  element('events').replaceChildren(...status.log.newest.map(event));
  element('documents').replaceChildren(...status.read_model.newest.map(found));
  const parts = [...status.parts].sort((a, b) => b.kills - a.kills || a.name.localeCompare(b.name));
  element('parts').replaceChildren(...parts.map(process));
}

function connection(text, isOffline) {
  put('connection', text);
  element('connection').classList.toggle('offline', isOffline);
}

async function refresh() {
  try {
    const answer = await fetch('status', {cache: 'no-store'});
    const status = await answer.json();
    show(status);
    const lost = status.unreachable.length;
    connection(
      lost === 0 ? 'live, ' + new Date().toLocaleTimeString() : 'no answer from ' + status.unreachable.join(', '),
      lost > 0);
  } catch (failure) {
    connection('the API does not answer: these are the last values', true);
  }
  setTimeout(refresh, PAUSE_MILLIS);
}

refresh();
