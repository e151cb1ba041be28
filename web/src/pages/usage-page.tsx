import { PageHead } from '../ui/panel.tsx';

export default function UsagePage() {
  return <PageHead title="Usage" />;
}
