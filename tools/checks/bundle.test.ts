import { expect, test } from 'vitest';
import { budgetsOf, type Manifest } from './bundle.ts';

const manifest: Manifest = {
  'index.html': {
    file: 'main.js',
    css: ['main.css'],
    isEntry: true,
    imports: ['_react.js', '_form.js'],
  },
  '_react.js': { file: 'react.js' },
  '_form.js': { file: 'form.js', imports: ['_react.js'] },
  '_table.js': { file: 'table.js', imports: ['_react.js'] },
  '_shell.js': { file: 'shell.js', name: 'shell', isDynamicEntry: true, imports: ['_react.js'] },
  'shell/NotFoundPage.tsx': { file: 'not-found.js', isDynamicEntry: true },
  'features/cases/CasesPage.tsx': {
    file: 'cases.js',
    isDynamicEntry: true,
    imports: ['_form.js', '_table.js'],
  },
  'features/calendar/CalendarPage.tsx': { file: 'calendar.js', isDynamicEntry: true },
};

test('the check counts for the first page all that it takes to sign in', () => {
  expect(budgetsOf(manifest)[0]).toEqual({
    name: 'first page',
    files: ['form.js', 'main.css', 'main.js', 'react.js'],
    limit: '145 kB',
  });
});

test('the check counts for another page what it adds, with the shell around it', () => {
  const added = budgetsOf(manifest).slice(1);
  expect(added.map(({ name, files }) => [name, files])).toEqual([
    ['shell/NotFoundPage.tsx adds', ['not-found.js']],
    ['features/cases/CasesPage.tsx adds', ['cases.js', 'shell.js', 'table.js']],
  ]);
});

test('the check refuses a build without an entry', () => {
  const { 'index.html': _gone, ...rest } = manifest;
  expect(() => budgetsOf(rest)).toThrow('the build has no entry');
});
