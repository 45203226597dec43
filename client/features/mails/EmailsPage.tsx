export function EmailsPage() {
  return <h1>EmailsPage</h1>;
}
