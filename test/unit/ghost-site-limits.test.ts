/** Neither side is trusted: it cannot redirect the import, hide webhooks, fill the memory, or keep it busy for ever. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ghostSite } from '../../infra/ops/ghost/ghost-site.ts';
import { stageApi } from '../../infra/ops/ghost/stage.ts';

const key = `${'a'.repeat(24)}:${'1'.repeat(64)}`;
const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('a Ghost site', () => {
  it('cannot redirect a request with the key to another server', async () => {
    const reached: (string | undefined)[] = [];
    const other = await serve(({ headers }, response) => {
      reached.push(headers.authorization);
      response.end('{}');
    });
    const site = await serve((_request, response) => {
      response.writeHead(307, { Location: `${other}/metadata` }).end();
    });
    await expect(ghostSite(site, key).listIntegrations()).rejects.toThrow('returned 307');
    await expect(ghostSite(site, key).createTag('x')).rejects.toThrow('returned 307');
    expect(reached).toEqual([]);
  });

  it('is asked once for all integrations, and an incomplete list is refused with the setting to change', async () => {
    const asked: (string | null)[] = [];
    const site = await serve(({ url = '' }, response) => {
      asked.push(new URL(url, 'http://site').searchParams.get('limit'));
      response.end(JSON.stringify({ integrations: [], meta: { pagination: { pages: 2, next: 2, total: 130 } } }));
    });
    await expect(ghostSite(site, key).listIntegrations()).rejects.toThrow(
      'Ghost returns 0 of its 130 integrations, so some webhooks cannot be seen. Set optimization__maxLimit to 130',
    );
    expect(asked).toEqual(['all']);
  });

  it('cannot send an answer without end', async () => {
    let sent = 0;
    const site = await serve((_request, response) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const more = (): void => {
        while (!response.destroyed && sent < 500) {
          sent += 1;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    await expect(ghostSite(site, key).listIntegrations()).rejects.toThrow('too large');
    expect(sent).toBeLessThan(200);
  });
});

it('a stage cannot return pages without end', async () => {
  let pages = 0;
  const stage = await serve((_request, response) => {
    pages++;
    response.end(JSON.stringify({ integrations: [], meta: { pagination: { next: `page${pages}` } } }));
  });
  await expect(stageApi({ baseUrl: stage, key }).listIntegrations()).rejects.toThrow('more than 100 pages');
  expect(pages).toBe(100);
});
