/** The service behind a target URL, and what the form proposes for a new webhook of a format. */
import { indexedEvents } from '../../../shared/formats/indexed-events.ts';
import type { FormatType } from './options.ts';

interface Service {
  readonly type: FormatType;
  readonly host: RegExp;
  readonly path: RegExp;
}

const anyHost = /./;

/** The addresses that services give out; their documentation is named in `shared/formats/`. */
const services: readonly Service[] = [
  { type: 'slack', host: /^hooks\.slack(-gov)?\.com$/, path: /^\/services\// },
  { type: 'discord', host: /^((ptb|canary)\.)?discord(app)?\.com$/, path: /^\/api\/(v\d+\/)?webhooks\// },
  { type: 'teams', host: /\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, path: /./ },
  { type: 'github', host: /^api\.github\.com$/, path: /./ },
  { type: 'github', host: anyHost, path: /\/repos\/[^/]+\/[^/]+\/dispatches$/ },
  { type: 'deploy-hook', host: /^api\.netlify\.com$/, path: /^\/build_hooks\// },
  { type: 'deploy-hook', host: /^api\.vercel\.com$/, path: /^\/v1\/integrations\/deploy\// },
  { type: 'deploy-hook', host: /^api\.cloudflare\.com$/, path: /\/deploy_hooks\// },
  { type: 'algolia', host: /\.algolia(net)?\.(net|com)$/, path: /./ },
  { type: 'meilisearch', host: anyHost, path: /\/indexes\/[^/]+\/documents\/?$/ },
];

/** Returns the format that a target URL calls for; `ghost` for a receiver of one's own. */
export const formatFor = (targetUrl: string): FormatType => {
  const { hostname, pathname } = URL.parse(targetUrl.trim()) ?? { hostname: '', pathname: '' };
  return services.find(({ host, path }) => host.test(hostname) && path.test(pathname))?.type ?? 'ghost';
};

/** Returns the id of the application in a URL of Algolia. */
export const applicationIn = (targetUrl: string): string | undefined =>
  /^(\w+?)(-dsn|-\d)?\.algolia(net)?\.(net|com)$/.exec(URL.parse(targetUrl)?.hostname ?? '')?.[1]?.toUpperCase();

const resources = ['post', 'page', 'tag'];
const byResource = resources.flatMap((one) => indexedEvents.filter((event) => event.startsWith(`${one}.`)));

/** Returns the events that a format can take; undefined for all. */
export const eventsFor = (type: FormatType): readonly string[] | undefined => (isIndex(type) ? byResource : undefined);

/** Returns whether a format keeps a search index, which an example would get into. */
export const isIndex = (type: FormatType): boolean => type === 'meilisearch' || type === 'algolia';

/** Returns whether a receiver can check a signature: the services have none of ours. */
export const isSignable = (type: FormatType): boolean => type === 'ghost' || type === 'template';

/** Returns the events that most webhooks of a format use, as a selection. */
export const usualEventsOf = (type: FormatType): string => {
  if (isIndex(type)) return indexedEvents.filter((event) => event.startsWith('post.')).join(',');
  return type === 'deploy-hook' || type === 'github' ? 'site.changed' : 'post.published';
};

/** Returns after how many seconds without a further event most webhooks of a format should send; empty for at once. */
export const usualPauseOf = (type: FormatType): string => (type === 'deploy-hook' ? '60' : '');
