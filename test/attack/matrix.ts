/** The attack on every endpoint: each caller with each kind of id, first refused requests, then allowed ones. */
import { type ContractLine, contract, type EndpointLine, type FunctionName } from '../../shared/contract.ts';
import { scopes } from '../../shared/foundation/scopes.ts';
import { defaultBodyLimit } from '../../shared/http/body.ts';
import { documentedOperation } from '../support/openapi.ts';
import { type Expectation, expectationOf } from './expectations.ts';
import { changedKeys } from './items.ts';
import { type AttackAnswer, requestFor, type Values } from './request.ts';
import { type Caller, type Party, type Target, type Verdict, verdictOn } from './rules.ts';
import { unknownId, type World } from './world.ts';

const endsSession = ({ function: name }: EndpointLine): boolean => name === 'sessions/end-current';

/**
 * Last comes the endpoint that ends the attack's session. `users-owner.test.ts` attacks the hand-over of the ownership,
 * which would end the attack's Owner.
 */
export const endpoints: readonly EndpointLine[] = (contract as readonly ContractLine[])
  .filter((line): line is EndpointLine => line.kind === 'endpoint')
  .filter((line) => line.function !== 'users/hand-over')
  .toSorted((a, b) => Number(endsSession(a)) - Number(endsSession(b)));

export interface Row {
  readonly endpoint: string;
  readonly requests: number;
  readonly refused: number;
  readonly allowed: number;
  readonly callers: string;
  readonly scopes: string;
  /** Sentences about unexpected responses; empty if there are none. */
  readonly findings: readonly string[];
}

interface Attempt {
  readonly caller: Caller;
  readonly target: Target;
  readonly verdict: Verdict;
}

/** Attacks one endpoint. */
export const attackEndpoint = async (world: World, line: EndpointLine): Promise<Row> => {
  const attempts = attemptsOn(world, line);
  const permitted = attempts.filter(({ verdict }) => verdict === 'allowed');
  const refused = attempts.filter(({ verdict }) => verdict !== 'allowed');
  const found = [
    ...(await sendRefused(world, line, refused)),
    ...(await sendPermitted(world, line, permitted)),
    ...(await sendTooLarge(world, line)),
  ];
  return {
    endpoint: `${line.method} ${line.path}`,
    requests: attempts.length,
    refused: refused.length,
    allowed: permitted.length,
    callers: line.callers.includes('anyone')
      ? 'anyone'
      : [...new Set(permitted.map(({ caller }) => caller.name))].join(', '),
    scopes: [...new Set(permitted.flatMap(({ caller }) => caller.scope ?? []))].join(', '),
    findings: found.map((finding) => `${line.method} ${line.path}: ${finding}`),
  };
};

/** Sends requests that must be refused: with the right status, without data of others, and without an effect. */
const sendRefused = async (world: World, line: EndpointLine, attempts: readonly Attempt[]): Promise<string[]> => {
  const findings: string[] = [];
  const values = new Map<Target, Values>();
  for (const { target } of attempts) if (!values.has(target)) values.set(target, await valuesFor(world, line, target));
  const before = await world.place.items();
  for (const { caller, target, verdict } of attempts) {
    const own = values.get(target) ?? {};
    const answer = await world.place.send(requestFor(line, own, caller.headers?.()));
    const who = `${caller.name} on ${target.name}`;
    if (answer.status !== verdict) findings.push(`${who}: expected ${verdict}, got ${answer.status}`);
    // A refusal may repeat what its own request contains.
    const leaked = world.confidential.filter(
      (text) => answer.text.includes(text) && !Object.values(own).includes(text),
    );
    if (leaked.length > 0) findings.push(`${who}: the refusal contains ${leaked.join(', ')}`);
  }
  const changed = changedKeys(before, await world.place.items());
  if (changed.length > 0) findings.push(`a refused request changed the table: ${changed.join(', ')}`);
  return findings;
};

const sendPermitted = async (world: World, line: EndpointLine, attempts: readonly Attempt[]): Promise<string[]> => {
  const findings: string[] = [];
  const statuses = Object.keys(documentedOperation(line.function as FunctionName).responses).map(Number);
  const successes = statuses.filter((status) => status < 400);
  for (const { caller, target } of attempts) {
    const values = await valuesFor(world, line, target);
    const answer = await world.place.send(
      requestFor(line, { ...values, ...asParty(world, line, caller) }, caller.headers?.()),
    );
    const who = `${caller.name} on ${target.name}`;
    if (!successes.includes(answer.status))
      findings.push(`${who}: expected ${successes.join(' or ')}, got ${answer.status} ${answer.text.slice(0, 300)}`);
    if (caller.party !== undefined && answer.text.includes(world.integrations[otherThan(caller.party)]))
      findings.push(`${who}: the answer names the other integration`);
  }
  return findings;
};

/** An integration acts on itself in paths, and names the other one in bodies, which must not help it. */
const asParty = ({ integrations }: World, line: EndpointLine, { party }: Caller): Values => {
  if (party === undefined) return {};
  const isItself = expectationOf(line).names === 'integration';
  return { ...(isItself && { id: integrations[party] }), integration_id: integrations[otherThan(party)] };
};

const otherThan = (party: Party): Party => (party === 'first' ? 'second' : 'first');

const sendTooLarge = async (world: World, line: EndpointLine): Promise<string[]> => {
  if (line.method === 'GET') return [];
  const [owner] = world.callers;
  const request = requestFor(line, { id: unknownId }, owner?.headers?.());
  const body = ' '.repeat((line.bodyLimit ?? defaultBodyLimit) + 1);
  const { status }: AttackAnswer = await world.place.send({ ...request, body });
  return status === 413 ? [] : [`a body that is too large: expected 413, got ${status}`];
};

/** Names of the path's parameters after the first: ids of what is below it. */
const childrenOf = ({ path }: EndpointLine): string[] =>
  [...path.matchAll(/\{(\w+_id)\}/g)].map(([, parameter = '']) => parameter);

const valuesFor = (world: World, line: EndpointLine, target: Target): Promise<Values> =>
  world.create(expectationOf(line).names, target, childrenOf(line));

const attemptsOn = ({ callers, roles }: World, line: EndpointLine): Attempt[] => {
  const expectation = expectationOf(line);
  const targets = targetsOf(expectation.names, childrenOf(line).length > 0, Object.keys(roles));
  const isOpen = line.callers.includes('anyone');
  // An open endpoint checks no key: one caller of each kind is enough.
  const ofEachKind = [...Map.groupBy(callers, ({ kind }) => kind).values()].flatMap(([one]) => one ?? []);
  return (isOpen ? ofEachKind : callers).flatMap((caller) =>
    targets
      // Credentials are checked before ids: two targets show it.
      .filter(
        (target, position) => caller.kind !== 'impostor' || isOpen || target.state === 'unknown' || position === 0,
      )
      // Whose keys are limited to a scope attack each other's as the first two do.
      .filter(({ party }) => party === undefined || !isScoped(party) || party === caller.party)
      .map((target): Attempt => ({ caller, target, verdict: verdictOn(line, expectation, caller, target) })),
  );
};

const isScoped = (party: Party): boolean => scopes.some((scope) => scope === party);

const unknown: Target = { name: `the unknown id ${unknownId}`, state: 'unknown' };
const malformed: Target = { name: 'an id in capital letters', state: 'malformed' };

const targetsOf = (names: Expectation['names'], hasChild: boolean, roles: readonly string[]): Target[] => {
  const forRole =
    (what: string) =>
    (role: string): Target => ({ name: `${what} ${role}`, state: 'known', role });
  if (names === 'nothing') return [{ name: 'the collection', state: 'known' }];
  if (names === 'site' || names === 'move') return [{ name: 'a site', state: 'known' }];
  if (names === 'link')
    return [
      { name: 'a link', state: 'known' },
      { ...unknown, name: 'an unknown token' },
    ];
  if (names === 'sign-in link')
    return [
      { name: 'a sign-in link', state: 'known' },
      { ...unknown, name: 'an unknown token' },
    ];
  if (names === 'session')
    return [{ name: 'a session of the Owner', state: 'known', member: 'Owner' }, unknown, malformed];
  const below = (targets: readonly Target[]): Target[] =>
    (hasChild ? (['foreign', 'unknown', 'malformed'] as const) : []).flatMap((child) =>
      targets.map((one): Target => ({ ...one, name: `${one.name}, with a ${child} second id`, child })),
    );
  if (names === 'user') {
    const member: Target = { name: 'a staff member', state: 'known', child: 'known' };
    return [member, ...below([member]), unknown, malformed];
  }
  if (names === 'role') return [...roles.map(forRole('the role')), unknown];
  if (names === 'invite')
    return [...['Administrator', 'Editor', 'Author'].map(forRole('an invite as')), unknown, malformed];
  const ownedBy = (parties: readonly Party[]) =>
    parties.map(
      (party): Target => ({ name: `what the integration ${party} owns`, state: 'known', party, child: 'known' }),
    );
  const owned = ownedBy(['first', 'second']);
  // A recovery is made with the key of its party, which a scope can forbid.
  return [...owned, ...ownedBy(names === 'recovery' ? [] : scopes), ...below(owned), unknown, malformed];
};
