/** `POST /admin/webhooks/preview/`: shows the request that options would make of an event; nothing is sent. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { newPreview, previewOf } from '../../shared/deliveries/log/preview.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { ok } from '../../shared/http/response.ts';

const item = newPreview(settings());

export const handler = endpoint({
  line: 'webhooks/preview',
  body: () => ({ root: 'previews', item, max: 1 }),
  handle: async ({ items: [preview], now }) => ok({ previews: [previewOf(preview, now)] }),
});
