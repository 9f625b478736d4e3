/** `GET /admin/config/`: returns the version and the environment. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { egressAddresses, settings } from '../../shared/foundation/environment.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { configOf, configResource } from '../../shared/publication/site.ts';

export const handler = endpoint({
  line: 'config/read',
  answer: { status: 200, root: 'config', item: configResource, isSingle: true },
  handle: async ({ reply }) => reply(configOf(settings(), egressAddresses())),
});

export const documentation = (): Documentation => ({
  tag: 'Site',
  summary: 'Get the configuration',
  examples: { read: { summary: 'Version and environment', caller: 'integration' } },
});
