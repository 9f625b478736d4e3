/** A receiver in a separate process, so that its CPU time is not attributed to the sender. Answers every POST with 200. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.setHeader('content-length', 2);
    response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.once('disconnect', () => process.exit());
