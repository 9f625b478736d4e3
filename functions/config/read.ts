/** `GET /admin/config/`: returns the version and the environment. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { ok } from '../../shared/http/response.ts';
import { configOf } from '../../shared/publication/site.ts';

export const handler = endpoint({
  line: 'config/read',
  handle: async () => ok({ config: configOf(settings()) }),
});
