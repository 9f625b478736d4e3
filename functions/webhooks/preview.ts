/** `POST /admin/webhooks/preview/`: shows the request that options would make of an event; nothing is sent. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { countPreview } from '../../shared/deliveries/log/limit.ts';
import { earlierEvent, newPreview, previewOf } from '../../shared/deliveries/log/preview.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { ok } from '../../shared/http/response.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';
import { checkMayRead } from '../../shared/webhooks/staff-permission.ts';

const item = newPreview(settings());

export const handler = endpoint({
  line: 'webhooks/preview',
  body: () => ({ root: 'previews', item, max: 1 }),
  handle: async ({ items: [preview], caller, now }) => {
    const { event, event_id, webhook_id } = preview;
    await countPreview(caller, now);
    if (event_id !== undefined) await checkMayRead(event, caller);
    const earlier =
      event_id === undefined ? undefined : await earlierEvent(event, event_id, await webhooksOf(caller, webhook_id));
    return ok({ previews: [previewOf(preview, now, earlier)] });
  },
});
