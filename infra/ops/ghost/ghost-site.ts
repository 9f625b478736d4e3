/** The Admin API of a Ghost site, as far as the import uses it. */
import * as v from 'valibot';
import { ApiError, boundedText, type Caller, call, deleted } from '../../command-line/client.ts';

const ghostWebhook = v.object({
  id: v.string(),
  event: v.string(),
  target_url: v.string(),
  name: v.nullish(v.string(), null),
  secret: v.nullish(v.string(), null),
  api_version: v.nullish(v.string(), null),
  integration_id: v.string(),
});
export type GhostWebhook = v.InferOutput<typeof ghostWebhook>;

const triggered = {
  last_triggered_at: v.nullish(v.string(), null),
  last_triggered_status: v.nullish(v.string(), null),
  last_triggered_error: v.nullish(v.string(), null),
};
const listedWebhook = v.object({ ...ghostWebhook.entries, ...triggered });
export type ListedWebhook = v.InferOutput<typeof listedWebhook>;

const ghostIntegration = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  description: v.nullish(v.string(), null),
});
const withWebhooks = v.object({ ...ghostIntegration.entries, webhooks: v.optional(v.array(listedWebhook), []) });
export type GhostIntegration = v.InferOutput<typeof withWebhooks>;

const listed = v.object({
  integrations: v.array(withWebhooks),
  meta: v.object({ pagination: v.object({ total: v.number() }) }),
});
const site = v.object({ site: v.object({ url: v.string(), site_uuid: v.optional(v.string()) }) });
const created = v.union([
  v.object({ webhooks: v.tuple([v.object({ id: v.string() })]) }),
  v.object({ integrations: v.tuple([v.object({ id: v.string() })]) }),
]);
const published = v.array(v.object({ published_at: v.string() }));
const tags = v.object({ tags: v.array(v.object({ id: v.string(), name: v.string() })) });

export type GhostSite = ReturnType<typeof ghostSite>;

/** Returns a site's API; `key` is a staff access token of its Owner or an Administrator. Calls throw ApiError. */
export const ghostSite = (url: string, key: string) => {
  const caller: Caller = { baseUrl: `${url}/ghost/api`, key };
  return {
    /**
     * Returns the site's own id. Before Ghost 6 it has none: the id of its oldest built-in integration stands for it.
     * @throws Error that says in a sentence what is wrong with the URL or the key
     */
    identify: async (): Promise<string> => {
      const { site_uuid } = await readSite(url);
      await checkKey(caller);
      if (site_uuid !== undefined) return site_uuid;
      const own = (await readIntegrations(caller)).filter(({ type }) => type !== 'custom').map(({ id }) => id);
      return own.sort()[0] ?? '';
    },
    /** Returns the integrations in which people create webhooks: Ghost's own (`core`, `internal`) contain none. */
    listIntegrations: async (): Promise<GhostIntegration[]> =>
      (await readIntegrations(caller)).filter(({ type }) => type === 'custom' || type === 'builtin'),
    createIntegration: async (name: string, description: string | null): Promise<string> =>
      idOf(await call(caller, 'POST', '/admin/integrations/', { integrations: [{ name, description }] })),
    deleteIntegration: (id: string): Promise<void> => deleted(call(caller, 'DELETE', `/admin/integrations/${id}/`)),
    createWebhook: async (
      webhook: Omit<GhostWebhook, 'id' | 'api_version'> & { api_version?: string | null },
    ): Promise<string> => idOf(await call(caller, 'POST', '/admin/webhooks/', { webhooks: [webhook] })),
    changeWebhook: async (id: string, changes: Pick<GhostWebhook, 'target_url' | 'secret'>): Promise<void> => {
      await call(caller, 'PUT', `/admin/webhooks/${id}/`, { webhooks: [changes] });
    },
    /** Returns when the newest post or page was published; undefined if none is. */
    newestPublished: async (kind: 'posts' | 'pages'): Promise<string | undefined> => {
      const path = `/admin/${kind}/?limit=1&fields=published_at&filter=status:published&order=published_at%20desc`;
      return v.parse(v.object({ [kind]: published }), await call(caller, 'GET', path))[kind]?.[0]?.published_at;
    },
    deleteWebhook: (id: string): Promise<void> => deleted(call(caller, 'DELETE', `/admin/webhooks/${id}/`)),
    createTag: async (name: string): Promise<void> => {
      await call(caller, 'POST', '/admin/tags/', { tags: [{ name }] });
    },
    deleteTags: async (name: string): Promise<void> => {
      const path = `/admin/tags/?limit=100&filter=${encodeURIComponent(`name:'${name}'`)}`;
      for (const tag of v.parse(tags, await call(caller, 'GET', path)).tags)
        if (tag.name === name) await deleted(call(caller, 'DELETE', `/admin/tags/${tag.id}/`));
    },
  };
};

/** @throws Error if Ghost returns only a part: it ignores `page` here, so the rest cannot be read */
const readIntegrations = async (caller: Caller): Promise<GhostIntegration[]> => {
  const { integrations, meta } = v.parse(
    listed,
    await call(caller, 'GET', '/admin/integrations/?include=webhooks&limit=all'),
  );
  const { total } = meta.pagination;
  if (total > integrations.length)
    throw new Error(
      `Ghost returns ${integrations.length} of its ${total} integrations, so some webhooks cannot be seen. ` +
        `Set optimization__maxLimit to ${total} or more at Ghost, restart it, and run this again.`,
    );
  return integrations;
};

const idOf = (answer: unknown): string => {
  const found = v.parse(created, answer);
  return ('webhooks' in found ? found.webhooks : found.integrations)[0].id;
};

/** Reads what a site tells anyone. @throws Error in a sentence: not reachable, redirected, or no Ghost */
export const readSite = async (url: string): Promise<v.InferOutput<typeof site>['site']> => {
  const path = `${url}/ghost/api/admin/site/`;
  const answer = await fetch(path, { redirect: 'manual' }).catch((error: unknown) => {
    const { cause } = error as { cause?: unknown };
    throw new Error(
      `${url} cannot be reached: ` +
        `${cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : error}.`,
    );
  });
  const target = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && target !== null) {
    const to = new URL(target, path).href.replace(/\/ghost\/api\/admin\/site\/?$/, '');
    throw new Error(`${url} redirects to ${to}: use --from ${to}.`);
  }
  const text = await boundedText(answer, path);
  const found = v.safeParse(v.pipe(v.string(), v.parseJson(), site), text);
  if (found.success) return found.output.site;
  if (/^\s*</.test(text))
    throw new Error(
      `${path} returned a page (${answer.status}) and not Ghost's API: ` +
        `--from must be the site's URL with the path that it lies under, such as https://example.com/blog.`,
    );
  throw new Error(`${path} returned ${answer.status} and no site: --from must be the URL of a Ghost site.`);
};

/** @throws Error in a sentence: a key that Ghost does not accept, or one that may not read integrations */
const checkKey = async (caller: Caller): Promise<void> => {
  const where = 'Ghost shows it under Settings → Staff → your profile → Staff access token.';
  try {
    await call(caller, 'GET', '/admin/integrations/?limit=1');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401)
      throw new Error(
        `Ghost does not accept the key: it must be the staff access token of the Owner or an Administrator. ${where}`,
      );
    if (error.status === 403)
      throw new Error(
        'The key cannot read integrations: use the staff access token of the Owner or an Administrator, not the ' +
          `key of an integration. ${where}`,
      );
    throw error;
  }
};
