/** A session is known to each endpoint that has callers: none answers that it has ended, or never existed. */
import { expect, it } from 'vitest';
import { endpointLines } from '../../shared/contract.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';

const stack = await freshStack();
await stack.seed();
const { cookie } = await signingIn(stack).signIn('administrator@masthead.example');

// The session itself ends with the last one.
const lines = endpointLines().filter(
  ({ callers, function: name }) => !callers.includes('anyone') && name !== 'sessions/end-current',
);

it.each(lines)('$method $path', async ({ function: name, path }) => {
  const answer = await stack.call(name, { path: path.replaceAll(/\{\w+\}/g, '0123456789abcdef01234567'), cookie });
  expect(answer.status, answer.text).not.toBe(401);
});
