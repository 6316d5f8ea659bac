import type { Change, Plan } from './apply-plan.js';
import { printable } from './text.js';

const signs = { create: '+', update: '~', delete: '-' } as const;
const colours = { create: 32, update: 33, delete: 31 } as const;

const valueText = (value: unknown): string => printable(JSON.stringify(value));

/** Renders a plan as a diff. */
export function renderPlan(plan: Plan, hasColours: boolean): string {
  const blocks = plan.changes.map((change) => {
    const text = renderChange(change);
    return hasColours ? `\u001b[${colours[change.action]}m${text}\u001b[0m\n` : `${text}\n`;
  });
  return `${blocks.join('')}${blocks.length > 0 ? '\n' : ''}Plan: ${summaryOf(plan)}.\n`;
}

function renderChange(change: Change): string {
  const title = `${signs[change.action]} ${printable(change.externalId)}`;
  if (change.action === 'delete') return `${title}  ${valueText(change.name)}`;
  const lines = change.fields.map(({ field, from, to }) => {
    const value = change.action === 'create' ? valueText(to) : `${valueText(from)} → ${valueText(to)}`;
    return `    ${field}: ${value}`;
  });
  return [title, ...lines].join('\n');
}

export function countsOf({ changes, unchanged }: Plan) {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete'), unchanged };
}

export function summaryOf(plan: Plan): string {
  const counts = countsOf(plan);
  return `${counts.create} to create, ${counts.update} to update, ${counts.delete} to delete, ${counts.unchanged} unchanged`;
}

/** Returns the plan for programs. */
export function planAsJson(plan: Plan) {
  const changes = plan.changes.map((change) => {
    const { action, externalId, id } = change;
    const common = { action, external_id: externalId, id };
    return 'fields' in change ? { ...common, fields: change.fields } : { ...common, name: change.name };
  });
  return { ...countsOf(plan), changes };
}
