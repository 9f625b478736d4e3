/** The environment variable `SETTINGS` as synth writes it: checked, and with all defaults. */
import * as v from 'valibot';
import { type SettingsInput, settingsSchema } from '../../shared/foundation/settings.ts';

const minimum: SettingsInput = {
  stage: 'test',
  publication: { name: 'The Daily Test', url: 'https://example.com' },
  mail: { from: 'desk@example.com' },
};

/** Returns the settings as JSON. @throws ValiError for settings that no stage can have */
export const settingsText = (changes: Partial<SettingsInput> = {}): string =>
  JSON.stringify(v.parse(settingsSchema, { ...minimum, ...changes }));
