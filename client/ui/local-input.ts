/** An instant as a `datetime-local` input shows it where the reader is: hours and minutes. Empty for null. */
export function toLocalInput(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  const two = (number: number) => String(number).padStart(2, '0');
  const year = String(at.getFullYear()).padStart(4, '0');
  const monthAndDay = `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${year}-${monthAndDay}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
