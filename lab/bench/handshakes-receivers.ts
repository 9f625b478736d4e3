/** TLS receivers in a separate process, each with its own origin. They answer after a time that the parent sets. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [keyFile = '', certificateFile = '', count = ''] = process.argv.slice(2);
const identity = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
let answerMs = 0;

const start = async (): Promise<number> => {
  const server = createServer(identity, (request, response) => {
    request.resume();
    setTimeout(() => response.end('ok'), answerMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

process.send?.(await Promise.all(Array.from({ length: Number(count) }, start)));
process.on('message', (ms) => {
  answerMs = Number(ms);
});
process.once('disconnect', () => process.exit());
