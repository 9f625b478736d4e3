/** Measures what a request costs before its handler runs: verifying the token and validating the body. The gate is a median under 0.3 ms. */
import { command, run } from '../../infra/command-line/command.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { checkBody, parseBody } from '../../shared/http/body.ts';
import { readItems } from '../../shared/http/items.ts';
import { readRequest } from '../../shared/http/request.ts';
import { readToken, verifyToken } from '../../shared/http/token.ts';
import { newWebhookOf } from '../../shared/webhooks/schema.ts';
import { apiEvent } from '../../test/support/parts-event.ts';
import { quantile } from './statistics.ts';

const rounds = 20_000;
const warmUp = 2_000;
const limitMs = 0.3;

const secret = 'ab'.repeat(32);
const key = `${'0123456789abcdef01234567'}:${secret}`;
const item = newWebhookOf(
  { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } },
  'f'.repeat(24) as IntegrationId,
);
const shape = { root: 'webhooks', item, max: 1 };

// Clients sign a new token for each request, so no two are equal. A hundred tokens suffice, because nothing caches them.
const events = Array.from({ length: 100 }, (_, at) =>
  apiEvent(
    {
      method: 'POST',
      path: '/admin/webhooks/',
      key,
      body: {
        webhooks: [
          {
            event: 'post.published',
            target_url: `https://hooks.example.com/masthead/${at}?source=ghost`,
            name: 'Our shop',
            secret: 'correct horse battery staple',
            api_version: 'v6.0',
          },
        ],
      },
    },
    '/admin/webhooks/',
    '/ghost/api',
  ),
);

const measure = (): void => {
  const took: number[] = [];
  for (let round = 0; round < rounds + warmUp; round++) {
    const event = events[round % events.length];
    if (event === undefined) continue;
    const began = performance.now();
    const request = readRequest(event);
    checkBody(request, 65_536);
    verifyToken(readToken(request.headers.authorization), secret, Date.now());
    readItems(parseBody(request), shape);
    const ms = performance.now() - began;
    if (round >= warmUp) took.push(ms);
  }
  const at = (share: number): string => `${quantile(took, share).toFixed(3)} ms`;
  console.log(
    `verify a token and validate a body, ${rounds} requests: p50 ${at(0.5)}, p99 ${at(0.99)} (gate: p50 < ${limitMs} ms)`,
  );
  process.exitCode = quantile(took, 0.5) < limitMs ? 0 : 1;
};

await run(
  command('npm --prefix lab run bench:request --')
    .description(
      `Measures the milliseconds that a request spends before its handler, in ${rounds} requests: verifying the token and validating the body. Fails if the median is ${limitMs} ms or more.`,
    )
    .action(measure),
);
