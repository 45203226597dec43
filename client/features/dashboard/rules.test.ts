import { expect, test } from 'vitest';
import { daysInWords, dueInWords, greetingAt, type OwnTask, tasksInWords } from './rules.ts';

const today = '2026-11-20';

function taskDue(day: number, hour = 12): OwnTask {
  return {
    id: `${day}`,
    name: 'Client questionnaire',
    endTime: new Date(2026, 10, day, hour).toISOString(),
    type: 'intake',
    case: { id: 'c', caseName: 'Abara v. Northline Freight' },
    assignedTo: { id: 'a', firstName: 'Ama', lastName: 'Owusu' },
  };
}

test('greets by the hour', () => {
  expect([4, 5, 11, 12, 17, 18].map(greetingAt)).toEqual([
    'Good evening',
    'Good morning',
    'Good morning',
    'Good afternoon',
    'Good afternoon',
    'Good evening',
  ]);
});

test.each([
  [[], 'No tasks due today'],
  [[taskDue(20)], '1 task due today'],
  [[taskDue(19), taskDue(20, 0), taskDue(20, 23), taskDue(21)], '2 tasks due today · 1 late'],
  [[taskDue(18), taskDue(19)], 'No tasks due today · 2 late'],
])('the dashboard says what there is to do %#', (tasks, words) => {
  expect(tasksInWords(tasks, tasks.length, today)).toBe(words);
});

test('the dashboard says "at least" when the list is cut', () => {
  expect(tasksInWords([taskDue(18), taskDue(19)], 9, today)).toBe('At least 2 tasks late');
  expect(tasksInWords([taskDue(19), taskDue(20)], 9, today)).toBe(
    'At least 1 task due today · 1 late',
  );
  expect(tasksInWords([taskDue(20), taskDue(21)], 9, today)).toBe('1 task due today');
});

test('the dashboard names the day a task is due, with a color', () => {
  const named = [12, 19, 20, 21, 23].map((day) => dueInWords(taskDue(day), today));
  expect(named).toEqual([
    { words: 'Nov 12 · 8 days late', tone: 'overdue' },
    { words: 'Yesterday', tone: 'overdue' },
    { words: 'Today', tone: 'soon' },
    { words: 'Tomorrow', tone: 'later' },
    { words: 'Mon, Nov 23', tone: 'later' },
  ]);
  expect(dueInWords(taskDue(20 + 365), today).words).toBe('Nov 20, 2027');
});

test('the dashboard counts days until a statute of limitations', () => {
  expect([0, 1, 12].map(daysInWords)).toEqual(['today', '1 day', '12 days']);
});
