/** `npm run -s token [-- <whose>]`: prints a fresh token, for the header of a request. */

import { adminToken } from './admin-token.ts';
import { runCommand } from './command.ts';
import { findHome, readStackFile } from './home.ts';

const keyOf = (name: string): string => {
  const stack = readStackFile(findHome());
  const keys: Record<string, string> = {
    integration: stack.integrationKey,
    'other-integration': stack.otherIntegrationKey,
    ...stack.staffKeys,
  };
  const key = keys[name];
  if (key === undefined)
    throw new Error(`there is no key of ${name}; there are those of ${Object.keys(keys).join(', ')}`);
  return key;
};

await runCommand(
  {
    usage: 'npm run -s token [-- whose]',
    does: 'Prints a fresh token of a key of the running stack, good for five minutes.',
    takes: { '[whose]': 'integration, other-integration, or a role such as Editor (Owner)' },
    environment: { MASTHEAD_KEY: 'a key, <id>:<secret>: gives a token of that key, of any stage' },
  },
  async ({ positionals: [whose = 'Owner'] }) => console.log(adminToken(process.env.MASTHEAD_KEY || keyOf(whose))),
);
