import type { templates as english } from '../en/templates';

export const templates: Record<keyof typeof english, string> = {
  'nav.templates': 'Vorlagen',
  'help.templates': 'Vorlagen für Links',
  'templates.lead':
    'Parameter und Regeln für viele Links. Eine Änderung erreicht alle Links der Vorlage innerhalb einer Sekunde.',
  'templates.create': 'Neue Vorlage',
  'templates.edit': 'Bearbeiten',
  'templates.name': 'Name der Vorlage',
  'templates.nameHint': 'Links nennen ihre Vorlage, deshalb ändert er sich nie.',
  'templates.rules.one': '{count} Regel',
  'templates.rules.other': '{count} Regeln',
  'templates.emptyTitle': 'Noch keine Vorlagen',
  'templates.emptyText': 'Eine Vorlage hat UTM-Werte und Regeln nur einmal, und Links wählen sie.',
  'templates.deleteTitle': 'Vorlage „{name}“ löschen?',
  'templates.deleteText': 'Eine Vorlage, die Links verwenden, bleibt.',
  'link.template': 'Vorlage',
  'link.templateHint':
    'Fügt ihre Parameter und Regeln hinzu. Parameter des Links ersetzen gleichnamige, und Regeln des Links werden zuerst geprüft.',
  'link.noTemplate': 'Keine',
  'visit.ofTemplate': 'Vorlage „{name}“: {text}',
};
