// A service that knows nothing of retries: every POST is a new order.
import { createServer } from 'node:http';

const orders = [];

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const send = (status, value) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value) + '\n');
  };
  if (request.method === 'POST' && request.url === '/orders') {
    const order = {
      number: orders.length + 1,
      item: JSON.parse(body).item,
      tenant: request.headers['once-tenant'],
      fence: request.headers['once-fence'],
      key: request.headers['idempotency-key'],
    };
    orders.push(order);
    return send(201, order);
  }
  if (request.method === 'GET' && request.url === '/orders') return send(200, orders);
  send(404, { error: 'there is nothing here' });
});

server.listen(Number(process.argv[2] ?? 9000), process.argv[3] ?? '127.0.0.1', () =>
  console.log(`orders on http://127.0.0.1:${server.address().port}`));
