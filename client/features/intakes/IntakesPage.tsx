export function IntakesPage() {
  return <h1>IntakesPage</h1>;
}
