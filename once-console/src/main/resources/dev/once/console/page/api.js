// Calls the console's API. A token stays in this tab, and goes nowhere but to this server.
const TOKEN = 'once-token';

export class ApiError extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

export function forgetToken() {
  sessionStorage.removeItem(TOKEN);
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

async function call(path, options = {}) {
  const headers = { Accept: 'application/json', ...options.headers };
  if (hasToken()) {
    headers.Authorization = `Bearer ${sessionStorage.getItem(TOKEN)}`;
  }
  let response;
  try {
    response = await fetch(`api/${path}`, { ...options, headers, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'the server does not answer');
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ApiError(response.status, body.detail ?? `the server answered ${response.status}`);
  }
  return body;
}

const post = (path, body) =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Once-Console': '1' },
    body: JSON.stringify(body),
  });

// A key goes into the body: an address would be in the logs of servers.
export function read(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (given.some(([name]) => name === 'key')) {
    return post(path, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  }
  const query = new URLSearchParams(given).toString();
  return call(query ? `${path}?${query}` : path);
}

export const act = (action, body) => post(`actions/${action}`, body);
