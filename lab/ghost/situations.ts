/** Situations of a move that people meet: what each command said of a receiver is compared with what it gets. */
import { writeSection } from '../page-section.ts';
import type { InstalledGhost } from './install.ts';
import { type Action, type Network, type Options, type Row, startWorld, type World } from './world.ts';

type Step = Action | readonly [Action, Options] | ((world: World) => unknown);

const network =
  (state: Network): Step =>
  (world) => {
    world.network = state;
  };
const otherMachine: Step = (world) => world.otherMachine();
const causes: Step = (world) => world.cause();
const causesLarge: Step = (world) => world.cause(700_000);
const deleteAtGhost =
  (...names: readonly string[]): Step =>
  async ({ ghost, integrations }) => {
    for (const { id, name } of await integrations())
      if (names.includes(name)) await ghost.call('DELETE', `/integrations/${id}/`);
  };
const renameAtGhost =
  (name: string): Step =>
  async ({ ghost, integrations }) => {
    const { id } = (await integrations()).find((one) => one.name === name);
    await ghost.call('PUT', `/integrations/${id}/`, { integrations: [{ name: `${name} 2`, description: 'Renamed' }] });
  };
const changeAtGhost =
  (path: string, changes: object): Step =>
  async ({ ghost, atGhost }) =>
    ghost.call('PUT', `/webhooks/${(await atGhost(path)).id}/`, { webhooks: [changes] });
const removeAtGhost =
  (path: string): Step =>
  async ({ ghost, atGhost }) =>
    ghost.call('DELETE', `/webhooks/${(await atGhost(path)).id}/`);
const changeRelay =
  (change: 'delete' | object): Step =>
  async ({ ghost, integrations }) => {
    const relays = (await integrations()).flatMap((one) => one.webhooks);
    const { id } = relays.find((one) => one.target_url.endsWith('/post.published/'));
    await ghost.call(change === 'delete' ? 'DELETE' : 'PUT', `/webhooks/${id}/`, {
      ...(change !== 'delete' && { webhooks: [change] }),
    });
  };
const act =
  (path: string, what: string): Step =>
  async ({ here, atStage }) =>
    here('POST', `/admin/webhooks/${(await atStage(path)).id}/${what}/`);
const editHere =
  (path: string, changes: (world: World) => object): Step =>
  async (world) =>
    world.here('PUT', `/admin/webhooks/${(await world.atStage(path)).id}/`, { webhooks: [changes(world)] });
const deleteHere =
  (path: string): Step =>
  async ({ here, atStage }) =>
    here('DELETE', `/admin/webhooks/${(await atStage(path)).id}/`);
const ownHere =
  (event: string): Step =>
  async (world) => {
    const made = await world.here('POST', '/admin/integrations/', { integrations: [{ name: 'Own' }] });
    const integration_id = made.body.integrations[0].id;
    await world.here('POST', '/admin/webhooks/', {
      webhooks: [{ event, target_url: world.target('own'), integration_id }],
    });
    world.receivers = [...world.receivers, { path: 'own', event: 'post.published', secret: null }];
  };
const replaceInboundSecret: Step = async ({ here, uuid }) => {
  const { receiver_id } = (await here('GET', `/admin/moves/${uuid}/`)).body.moves[0];
  await here('POST', `/admin/integrations/${receiver_id}/inbound_secret/`);
};
const deleteReceiver: Step = async ({ here, uuid }) => {
  const { receiver_id } = (await here('GET', `/admin/moves/${uuid}/`)).body.moves[0];
  const { status, text } = await here('DELETE', `/admin/integrations/${receiver_id}/`);
  if (status !== 422) throw new Error(`The integration that receives the site: ${status} ${text}`);
};
const manyIntegrations: Step = async ({ ghost }) => {
  for (let count = 0; count < 101; count++)
    await ghost.call('POST', '/integrations/', { integrations: [{ name: `Integration ${count}` }] });
};
/** Changes what a receiver should get from now on; undefined: nothing. */
const expects =
  (path: string, changes: Partial<World['receivers'][number]> | undefined): Step =>
  (world) => {
    world.receivers = world.receivers.flatMap((one) =>
      one.path !== path ? [one] : changes === undefined ? [] : [{ ...one, ...changes }],
    );
  };
const addAgain: Step = async (world) => {
  world.receivers = world.receivers.filter(({ path }) => path !== 'posts');
  await world.add('Shop 2', [{ path: 'posts', event: 'post.published', secret: 'new secret' }]);
};
const relayByHand: Step = async (world) => {
  const made = await world.here('POST', '/admin/integrations/', { integrations: [{ name: 'Own' }] });
  const { id } = made.body.integrations[0];
  const secret = (await world.here('POST', `/admin/integrations/${id}/inbound_secret/`)).body.secrets[0].secret;
  const [{ id: integration_id }] = (
    await world.ghost.call('POST', '/integrations/', { integrations: [{ name: 'By hand' }] })
  ).integrations;
  const target_url = `${world.baseUrl}/inbound/ghost/${id}/post.published/`;
  await world.ghost.call('POST', '/webhooks/', {
    webhooks: [{ event: 'post.published', target_url, secret, integration_id }],
  });
};
const loseStage: Step = async ({ here, uuid }) => {
  await here('DELETE', `/admin/moves/${uuid}/`);
  for (const { id } of (await here('GET', '/admin/integrations/?limit=100')).body.integrations)
    await here('DELETE', `/admin/integrations/${id}/`);
};
const together: Step = async (world) => {
  await Promise.all([world.run('switch'), world.run('switch')]);
};
/** Kills a command after each of its requests that changes something, and continues on another machine. */
const killedEverywhere =
  (action: 'switch' | 'undo'): Step =>
  async (world) => {
    const back = action === 'switch' ? 'undo' : 'switch';
    const undisturbed = await world.run(action);
    const wanted = await world.state();
    const rows = [undisturbed, await world.run(back)];
    const writes = (points: readonly string[]): number => points.filter((point) => !point.includes(' GET ')).length;
    for (let count = 1; count <= writes(undisturbed.points); count++) {
      rows.push(await world.run(action, { isKilled: (points) => writes(points) >= count }));
      world.otherMachine();
      const rerun = await world.run(action);
      const state = await world.state();
      rows.push({ ...rerun, ...(state !== wanted && { fault: `It ended in\n${state}\nand not in\n${wanted}` }) });
      rows.push(await world.run(back));
    }
    return rows;
  };

/** Title and steps. The titles of the kind of fault stand before their relatives. */
const situations: readonly (readonly [title: string, ...steps: readonly Step[]])[] = [
  ['there and back', 'show', 'apply', 'check', 'switch', 'check', 'undo'],
  ['in one command', 'switch', 'check', 'switch', 'undo', 'undo'],
  ['undone on another machine', 'switch', otherMachine, 'check', 'undo'],
  [
    'undone on another machine after two integrations were deleted',
    'switch',
    deleteAtGhost('Shop', 'Blog'),
    otherMachine,
    'undo',
  ],
  [
    'continued on another machine after one was deleted',
    'switch',
    deleteAtGhost('Shop'),
    otherMachine,
    'apply',
    'check',
    'undo',
  ],
  ['two runs at the same time', together, 'switch', 'check', 'undo'],
  ['killed while it switches', killedEverywhere('switch')],
  ['killed while it undoes', 'switch', killedEverywhere('undo')],
  ['a relay by hand', relayByHand, 'show', 'switch'],
  [
    'the same site under another URL',
    'switch',
    ...(['switch', 'undo', 'check'] as const).map(
      (action): Step =>
        async (world) =>
          world.run(action, { url: world.ghost.url.replace('127.0.0.1', 'localhost') }),
    ),
    'check',
  ],
  [
    'a stage that resets connections',
    'switch',
    network('reset'),
    causes,
    'check',
    'switch',
    network('open'),
    'check',
    'apply',
    'check',
  ],
  ['a stage that hangs', 'switch', network('hang'), causes, 'check', network('open'), 'apply', 'check'],
  ['a stage that answers 500', 'switch', network(500), causes, 'check', network('open'), 'apply', 'check'],
  ['a stage that redirects', 'switch', network(301), causes, 'check', network('open'), 'apply', 'check'],
  ['a dead relay before anything is removed', network('reset'), 'switch', 'check', network('open'), 'switch', 'check'],
  [
    'large posts that are refused',
    'switch',
    network('large refused'),
    causesLarge,
    'check',
    causes,
    'check',
    network('open'),
    'apply',
    'check',
  ],
  ['large posts that arrive', 'switch', causesLarge, 'check'],
  [
    'another secret at Ghost before the switch',
    'apply',
    changeAtGhost('posts', { secret: 'changed' }),
    expects('posts', { secret: 'changed' }),
    'check',
    'switch',
    'check',
    'undo',
  ],
  [
    'a secret that is removed at Ghost before the switch',
    'apply',
    changeAtGhost('posts', { secret: '' }),
    expects('posts', { secret: null }),
    'switch',
    'check',
    'undo',
  ],
  [
    'another target at Ghost before the switch',
    'apply',
    (world) => changeTarget(world),
    'check',
    'switch',
    'check',
    'undo',
  ],
  [
    'another event at Ghost before the switch',
    'apply',
    changeAtGhost('posts', { event: 'page.published' }),
    expects('posts', { event: 'page.published' }),
    'check',
    'switch',
    'check',
    'undo',
  ],
  ['another name at Ghost before the switch', 'apply', changeAtGhost('posts', { name: 'Renamed' }), 'switch', 'check'],
  [
    'a webhook that is deleted at Ghost before the switch',
    'apply',
    removeAtGhost('posts'),
    expects('posts', undefined),
    'check',
    'switch',
    'check',
    'undo',
  ],
  [
    'an integration that is deleted at Ghost before the switch',
    'apply',
    deleteAtGhost('Blog'),
    expects('blog', undefined),
    'switch',
    'check',
    'undo',
  ],
  [
    'a target that is edited here after the switch',
    'switch',
    editHere('posts', (world) => ({ target_url: world.target('edited') })),
    expects('posts', { path: 'edited' }),
    'check',
    'switch',
    'check',
  ],
  [
    'an event that is edited here after the switch',
    'switch',
    editHere('posts', () => ({ event: 'page.published' })),
    expects('posts', { event: 'page.published' }),
    'check',
    'switch',
    'check',
  ],
  [
    'a webhook that is disabled here',
    'switch',
    act('posts', 'disable'),
    'check',
    'switch',
    act('posts', 'enable'),
    'check',
  ],
  ['a webhook that is deleted here', 'switch', deleteHere('posts'), 'check', 'switch', 'undo'],
  [
    'a webhook that is deleted here on purpose',
    'switch',
    deleteHere('posts'),
    expects('posts', undefined),
    ['apply', { agrees: true }],
    'check',
  ],
  ['a secret that is rotated here', 'switch', act('members', 'secret'), (world) => rotated(world), 'check'],
  ['a webhook that stands at Ghost again with another secret', 'switch', addAgain, 'check', 'switch', 'check', 'undo'],
  [
    'a webhook that was added at Ghost',
    'switch',
    (world) => world.add('New', [{ path: 'new', event: 'page.published', secret: 'n' }]),
    'check',
    'switch',
    'check',
    'undo',
  ],
  ['an inbound secret that is replaced', 'switch', replaceInboundSecret, causes, 'check', 'apply', 'check'],
  [
    'the secret of a relay that is changed at Ghost',
    'switch',
    changeRelay({ secret: 'wrong' }),
    'check',
    'apply',
    'check',
  ],
  ['a relay that is deleted at Ghost', 'switch', changeRelay('delete'), 'check', 'apply', 'check'],
  ['the integration Masthead that is deleted', 'switch', deleteAtGhost('Masthead'), 'check', 'apply', 'check', 'undo'],
  ['the integration Masthead that is renamed', 'switch', renameAtGhost('Masthead'), 'check', 'switch', 'undo'],
  ['an integration of a receiver that is renamed', 'switch', renameAtGhost('Shop'), 'check', 'switch', 'undo'],
  [
    'a webhook of Masthead’s own',
    'switch',
    ownHere('post.published'),
    'check',
    deleteHere('posts'),
    expects('posts', undefined),
    ['apply', { agrees: true }],
    'check',
  ],
  [
    'the last copy of an event goes, and one of Masthead’s own needs it',
    'switch',
    ownHere('post.published'),
    deleteHere('posts'),
    deleteHere('blog'),
    expects('posts', undefined),
    expects('blog', undefined),
    ['apply', { agrees: true }],
    'check',
  ],
  [
    'an undo beside a webhook of Masthead’s own',
    'switch',
    ownHere('post.published'),
    'undo',
    expects('own', undefined),
    ['undo', { agrees: true }],
  ],
  [
    'another URL of the stage',
    'switch',
    (world) => world.run('check', { baseUrl: local(world) }),
    (world) => world.run('apply', { baseUrl: local(world) }),
    'check',
    'apply',
    'undo',
  ],
  ['a stage that is lost', 'switch', loseStage, 'check', 'undo', 'switch', 'undo'],
  ['two sites and one stage', 'switch', (world) => world.runForSecondSite('switch'), 'check'],
  ['the integration that receives the site is deleted here', 'switch', deleteReceiver, 'check', 'undo'],
  ['deliveries that wait', 'switch', act('posts', 'disable'), causes, 'undo'],
  // The last one, because Ghost does not list what it would have to delete.
  ['more integrations than Ghost lists', manyIntegrations, 'show', 'switch'],
];

const changeTarget = async (world: World): Promise<void> => {
  const { id } = await world.atGhost('posts');
  await world.ghost.call('PUT', `/webhooks/${id}/`, { webhooks: [{ target_url: world.target('moved') }] });
  world.receivers = world.receivers.map((one) => (one.path === 'posts' ? { ...one, path: 'moved' } : one));
};
const rotated = (world: World): void => {
  // Nobody told the receiver, which had no secret: a signature is new to it.
  world.receivers = world.receivers.filter(({ path }) => path !== 'members');
};
const local = ({ baseUrl }: World): string => baseUrl.replace('127.0.0.1', 'localhost');

/** The situation whose transcript the report has. */
const shown = 'continued on another machine after one was deleted';

/** Plays situations by title and prints the table; reports if all were played. Returns how many commands were wrong. */
export const playSituations = async (installed: InstalledGhost, only = ''): Promise<number> => {
  const played = situations.filter(([name]) => name.includes(only));
  const world = await startWorld(installed);
  const table: string[] = [];
  let transcript = '';
  let commands = 0;
  let wrong = 0;
  let receivers = 0;
  try {
    for (const [title, ...steps] of played) {
      await world.begin();
      console.log(`\n## ${title}`);
      const told: string[] = [];
      for (const row of await playAll(world, steps)) {
        const failed = row.receivers.filter(({ isTrue }) => !isTrue).length + (row.fault === undefined ? 0 : 1);
        commands += 1;
        wrong += failed;
        receivers += row.receivers.length;
        told.push(`${failed === 0 ? '' : '**untrue** '}\`${row.command}\` ${row.code}: ${receiversOf(row)}`);
        console.log(told.at(-1));
        if (failed > 0 || process.env.VERBOSE !== undefined)
          console.log(`${row.output}\n${row.fault ?? ''}`.replaceAll(/^/gm, '      '));
        if (title === shown) transcript += `$ import-ghost (${row.command}), exit code ${row.code}\n${row.output}\n`;
      }
      table.push(`| ${title} | ${counted(told).join('<br>')} |`);
    }
  } finally {
    await world.end();
  }
  const summary = `${played.length} situations, ${commands} commands, ${receivers} receivers, ${wrong} untrue.`;
  console.log(`\n${summary}`);
  if (only === '') writeReport(summary, table, transcript);
  return wrong;
};

/** `all ✓ once`, or `✗ nothing: posts, ✓ once: members, blog`. */
const receiversOf = ({ receivers }: Row): string => {
  const groups = Map.groupBy(receivers, (one) => `${one.said.slice(0, 1) || '–'} ${one.got}`);
  if (groups.size === 1) return `all ${[...groups.keys()].join('')}`;
  return [...groups].map(([got, those]) => `${got}: ${those.map(({ path }) => path).join(', ')}`).join('; ');
};

/** What repeats is written once, where it comes first, with the number of times. */
const counted = (lines: readonly string[]): string[] =>
  [...Map.groupBy(lines, (line) => line)].map(([line, same]) => (same.length > 1 ? `${same.length} × ${line}` : line));

const writeReport = (summary: string, table: readonly string[], transcript: string): void => {
  const date = new Date().toISOString().slice(0, 10);
  const rows = ['| situation | commands, their exit codes, and receivers |', '|---|---|', ...table].join('\n');
  const anywhere = transcript
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/\S+(?=ghost-import-)/g, '.masthead/')
    .trim();
  writeSection(
    'ghost-situations.md',
    'ghost -- --situations',
    `Run on ${date}: ${summary}\n\n${rows}\n\n## A move that is continued on another machine\n\nBetween the first ` +
      'two commands, somebody deletes the integration *Shop* at Ghost. ' +
      `All but the first run on another machine.\n\n\`\`\`\n${anywhere}\n\`\`\``,
  );
};

const playAll = async (world: World, steps: readonly Step[]): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const step of steps) rows.push(...[await play(world, step)].flat().filter(isRow));
  return rows;
};

const play = async (world: World, step: Step): Promise<unknown> => {
  if (typeof step === 'string') return world.run(step);
  return typeof step === 'function' ? step(world) : world.run(step[0], step[1]);
};

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'command' in value && 'receivers' in value;
