export function MattersPage() {
  return <h1>MattersPage</h1>;
}
