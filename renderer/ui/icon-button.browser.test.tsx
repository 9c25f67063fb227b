import { Menu } from '@mantine/core';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../testing/show.tsx';
import { IconButton } from './icon-button.tsx';

test('labels a menu by its button, which has a popup and a tooltip', async () => {
  await show(
    <Menu>
      <Menu.Target>
        <IconButton label="Rows">=</IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Compact</Menu.Item>
      </Menu.Dropdown>
    </Menu>,
  );
  const button = page.getByRole('button', { name: 'Rows' });
  await expect.element(button).toHaveAttribute('aria-haspopup', 'menu');
  await button.hover();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Rows');
  await button.click();
  await expect.element(page.getByRole('menu', { name: 'Rows' })).toBeVisible();
});
