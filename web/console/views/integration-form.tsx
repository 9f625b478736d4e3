/** The form to create or edit an integration. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change } from '../api/client.ts';
import type { Integration } from '../api/resources.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Problem } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import type { NewKey } from './integration-keys.tsx';

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly contact_email: string;
  readonly can_publish: boolean;
  readonly can_receive_staff_events: boolean;
}

interface NewIntegrationProps {
  readonly onKey: (key: NewKey) => void;
}

/** Shows the integration after it was saved, with its key. */
export const NewIntegration = ({ onKey }: NewIntegrationProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  const [fields, setFields] = useState<Fields>({
    name: '',
    description: '',
    contact_email: '',
    can_publish: false,
    can_receive_staff_events: false,
  });
  const { run, isRunning, error } = useAction(async () => {
    const { integrations: created } = await change<{ integrations: [Integration] }>('POST', '/admin/integrations/', {
      integrations: [fields],
    });
    const [{ id, api_keys = [] }] = created;
    const [key] = api_keys;
    if (key?.secret !== null && key !== undefined) onKey({ integration: id, key: key.secret });
    replaceWith(['integrations', id]);
  });
  return (
    <>
      <BackLink to={['integrations']} label={frame.views.integrations} />
      <h1>{integrations.create}</h1>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <FieldsOfIntegration fields={fields} onChange={setFields} />
        {error !== undefined && <Problem error={error} />}
        <div class="actions">
          <wa-button type="submit" variant="brand" loading={isRunning}>
            {integrations.createAction}
          </wa-button>
          <wa-button appearance="plain" href={linkTo(['integrations'])}>
            {frame.cancel}
          </wa-button>
        </div>
      </form>
    </>
  );
};

interface EditIntegrationProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

export const EditIntegration = ({ integration, onClose }: EditIntegrationProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  const [fields, setFields] = useState<Fields>({
    name: integration.name,
    description: integration.description ?? '',
    contact_email: integration.contact_email ?? '',
    can_publish: integration.can_publish,
    can_receive_staff_events: integration.can_receive_staff_events,
  });
  const save = async (): Promise<void> => {
    await change('PUT', `/admin/integrations/${integration.id}/`, { integrations: [fields] });
    announce(integrations.saved);
  };
  return (
    <Confirm label={frame.edit} action={frame.save} act={save} onClose={onClose}>
      <FieldsOfIntegration fields={fields} onChange={setFields} />
    </Confirm>
  );
};

interface FieldsProps {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}

const FieldsOfIntegration = ({ fields, onChange }: FieldsProps): JSX.Element => {
  const { integrations } = useTexts();
  return (
    <>
      <TextField
        isRequired
        maxLength={191}
        label={integrations.name}
        hint={integrations.nameHint}
        value={fields.name}
        onInput={(name) => onChange({ ...fields, name })}
      />
      <TextField
        label={integrations.description}
        value={fields.description}
        onInput={(description) => onChange({ ...fields, description })}
      />
      <TextField
        type="email"
        label={integrations.contact}
        hint={integrations.contactHint}
        value={fields.contact_email}
        onInput={(contact_email) => onChange({ ...fields, contact_email })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={fields.can_publish}
          onChange={() => onChange({ ...fields, can_publish: !fields.can_publish })}
        />
        <span>{integrations.canPublish}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.can_receive_staff_events}
          onChange={() => onChange({ ...fields, can_receive_staff_events: !fields.can_receive_staff_events })}
        />
        <span>{integrations.canReceiveStaffEvents}</span>
      </label>
    </>
  );
};
