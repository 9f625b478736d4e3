/**
 * Follows the recipes on a local stack: a request per webhook, an event, and what arrives at a receiver that enforces
 * the service's published rules. Writes `lab/reports/recipes.md`.
 */
import { command, run } from '../../infra/command-line/command.ts';
import { eventExamples } from '../../shared/events/examples.ts';
import { type RunningStack, runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { writeSection } from '../page-section.ts';
import { type Services, startServices } from './services.ts';

interface Step {
  readonly event: string;
  /** The path of the request, if the format chooses another one than that of the target. */
  readonly arrivesAt?: string;
  /** The path of the target at the service. */
  readonly path: string;
  /** The title of the post, if it is not that of the example. */
  readonly title?: string;
}

interface Run {
  readonly title: string;
  readonly options: object;
  /** A webhook each; the events are published in this order. */
  readonly steps: readonly Step[];
}

const documents = '/indexes/posts/documents';
const deletions = `${documents}/delete-batch`;

const runs: readonly Run[] = [
  {
    title: 'A message for Slack',
    options: { format: { type: 'slack' } },
    steps: [{ event: 'post.published', path: '/services/T000/B000/XXXX' }],
  },
  {
    title: 'A dispatch for GitHub Actions',
    options: { format: { type: 'github', token: 'github_pat_XXXX' } },
    steps: [{ event: 'post.published', path: '/repos/OWNER/REPOSITORY/dispatches' }],
  },
  {
    title: 'A deploy hook',
    options: { format: { type: 'deploy-hook' } },
    steps: [{ event: 'site.changed', path: '/build_hooks/XXXX' }],
  },
  {
    title: 'A search document that follows edits and deletions (Meilisearch)',
    options: { format: { type: 'meilisearch', api_key: 'XXXX' } },
    steps: [
      { event: 'post.published', path: documents },
      { event: 'post.published.edited', path: documents, title: 'What to sow in February' },
      { event: 'post.unpublished', path: documents, arrivesAt: deletions },
      { event: 'post.deleted', path: documents, arrivesAt: deletions },
    ],
  },
  {
    title: 'A message for Discord',
    options: { format: { type: 'discord' } },
    steps: [{ event: 'post.published', path: '/api/webhooks/000/XXXX' }],
  },
  {
    title: 'A card for Microsoft Teams',
    options: { format: { type: 'teams' } },
    steps: [{ event: 'post.published', path: '/workflows/XXXX' }],
  },
  {
    title: 'A record for Algolia',
    options: { format: { type: 'algolia', application_id: 'YOURAPPID', api_key: 'XXXX' } },
    steps: [
      { event: 'post.published', path: '/1/indexes/posts/batch' },
      { event: 'post.deleted', path: '/1/indexes/posts/batch' },
    ],
  },
];

/** The headers that are shown: those that a format or an option adds, and those of the body. */
const shownHeaders = /^(?:content-|accept$|authorization$|x-|masthead-trigger$)/;

/** Times and ids differ from run to run. */
const withoutIds = (text: string): string =>
  text
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g, (time) =>
      time > '2026-11-22T06:00:00.000Z' ? '<time>' : time,
    )
    .replace(/"event_id":"[^"]+"/g, '"event_id":"<id>"');

const payloadOf = (event: string, title: string | undefined): object => {
  const example = eventExamples[event]?.payload ?? {};
  if (title === undefined) return example;
  return Object.fromEntries(
    Object.entries(example).map(([resource, parts]) => [resource, { ...parts, current: { ...parts.current, title } }]),
  );
};

const block = (text: string, language = 'http'): string => `\`\`\`${language}\n${text}\n\`\`\``;

const play = async (
  { title, options, steps }: Run,
  { stack, call }: RunningStack,
  services: Services,
): Promise<string> => {
  const key = stack.integrationKey;
  const created: string[] = [];
  for (const { event, path } of steps) {
    const sent = { event, target_url: `${services.origin}${path}`, options };
    const answer = await call('POST', '/admin/webhooks/', { key, body: { webhooks: [sent] } });
    if (answer.status !== 201) throw new Error(`${title}: ${answer.status} ${answer.text}`);
    const shown = JSON.stringify({ webhooks: [sent] }).replaceAll(services.origin, 'https://service.example');
    created.push(`POST /admin/webhooks/\n${shown}\n→ 201`);
  }
  const arrived: string[] = [];
  for (const { event, path, arrivesAt = path, title: changed } of steps) {
    const payload = payloadOf(event, changed);
    const published = await call('POST', '/admin/events/', {
      key: stack.adminKey,
      body: { events: [{ event, payload }] },
    });
    if (published.status !== 202) throw new Error(`${event}: ${published.status} ${published.text}`);
    const { request, answer } = await services.next(arrivesAt);
    if (!answer.startsWith('2')) throw new Error(`${title}: the service answered ${answer}`);
    const headers = Object.entries(request.headers).filter(([name]) => shownHeaders.test(name));
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    const index = title.includes('search document')
      ? `\n\nThe index then has: ${JSON.stringify(services.titles())}`
      : '';
    arrived.push(
      `\`${event}\` was published, and this arrived; the service answered ${answer}:\n\n` +
        `${block(withoutIds([`POST ${arrivesAt}`, ...lines, '', request.body].join('\n').trimEnd()))}${index}`,
    );
  }
  return [`### ${title}`, 'Requests:', ...created.map((text) => block(text)), ...arrived].join('\n\n');
};

await run(
  command('npm --prefix lab run recipes --')
    .description(
      'Follows the recipes on a local stack: creates each webhook with one request, publishes events, and writes ' +
        'what arrives at receivers that enforce the rules of the services to lab/reports/recipes.md.',
    )
    .action(async () => {
      const home = temporaryHome();
      const [running, services] = await Promise.all([runStack(home.folder, ['--memory']), startServices()]);
      try {
        const sections: string[] = [];
        for (const one of runs) {
          sections.push(await play(one, running, services));
          console.log(`${one.title}: accepted by the service.`);
        }
        writeSection('recipes.md', 'recipes', sections.join('\n\n'));
      } finally {
        services.close();
        await running.end('SIGINT');
        home.remove();
      }
    }),
);
