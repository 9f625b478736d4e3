/**
 * `npm run -s token [-- <whose>]`: prints a fresh token of a key of the running stack, good for five minutes. `whose` is
 * `integration`, `other-integration` or a role such as `Editor`; the Owner's where nothing is said. With MASTHEAD_KEY a token of that
 * key, of any stage.
 */
import { adminToken } from './admin-token.ts';
import { findHome, readStackFile } from './home.ts';

const [whose = 'Owner'] = process.argv.slice(2);
try {
  console.log(adminToken(process.env.MASTHEAD_KEY || keyOf(whose)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function keyOf(name: string): string {
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
}
