/** `npm run -s token [-- <whose>]`: prints a fresh token for the header `Authorization: Ghost <token>`. */
import { adminToken } from '../command-line/admin-token.ts';
import { command, run, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { keyOfEnvironment } from '../command-line/key-and-url.ts';
import { findHome, readStackFile } from './home.ts';

const keyOf = (name: string): string => {
  const { integrationKey, otherIntegrationKey, staffKeys } = readStackFile(findHome());
  const keys: Record<string, string> = {
    integration: integrationKey,
    'other-integration': otherIntegrationKey,
    ...staffKeys,
  };
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key === undefined)
    throw new UsageError(`[whose] is '${name}'; it must be one of ${Object.keys(keys).join(', ')}.`);
  return key;
};

await run(
  command('npm run -s token --')
    .description('Prints a token that is signed with a key of the running stack and expires in five minutes.')
    .argument('[whose]', 'integration, other-integration, or a role such as Editor', 'Owner')
    .addHelpText(
      'after',
      sections({ environment: { MASTHEAD_KEY: 'Sign with this key (<id>:<secret>) of any stage instead.' } }),
    )
    .action((whose) => console.log(adminToken(keyOfEnvironment() ?? keyOf(whose)))),
);
