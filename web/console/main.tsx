/** Starts the console: applies the preferences, finds out who uses it, and shows the view in the address. */
import { render } from 'preact';
import { Frame } from './frame.tsx';
import { keepApplied } from './preferences.ts';
import { resume } from './session.ts';
import './ui/elements.ts';

keepApplied();
resume().catch(() => {});
const app = document.getElementById('app');
if (app !== null) {
  // Its elements would be used again in other places, and what moves counts as a shift.
  app.replaceChildren();
  render(<Frame />, app);
}
