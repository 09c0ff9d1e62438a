/** A page without console errors and without foreign requests. */

import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
// @ts-expect-error A script without types.
import { serve } from "./server.mjs";

interface Served {
  readonly address: string;
}

export const test = base.extend<{ watched: void }, { served: Served }>({
  served: [
    async ({}, use) => {
      const { server, address } = await serve();
      await use({ address });
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ served }, use) => use(served.address),
  watched: [
    async ({ page, served }, use) => {
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("request", (request) => {
        const url = request.url();
        const isOwn = url.startsWith(served.address) || /^(data:|blob:|file:)/.test(url);
        if (!isOwn) faults.push(`request to ${url}`);
      });
      await use();
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function open(page: Page, hash = ""): Promise<void> {
  await page.goto(`/page.html${hash}`);
  await page.locator("main").waitFor();
  // An open page follows a change after `#` in a later task.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

export async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator("main").waitFor();
}

export async function cellsOf(page: Page): Promise<string[]> {
  const moves = page.getByTestId("moves");
  if ((await moves.count()) === 0) return [];
  const text = (await moves.textContent()) ?? "";
  return [...text.matchAll(/\b[a-y]\d+\b/g)].map(([cell]) => cell);
}

export async function movesOf(page: Page): Promise<string> {
  return (await cellsOf(page)).map((cell) => cell.charCodeAt(0) - 96).join("");
}

export async function yourMove(page: Page): Promise<void> {
  await expect(page.getByTestId("status")).toHaveText(/Your move|and begin/);
  await expect(page.locator('button.column[aria-disabled="false"]')).not.toHaveCount(0);
}

export async function solved(page: Page): Promise<void> {
  await expect(page.getByTestId("figures")).toHaveAttribute("data-state", "solved", { timeout: 45_000 });
}

export async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(files)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

/** The page must be accessible in both colours and must not scroll sideways. */
export async function expectLook(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expectAccessible(page);
  }
  for (const width of [320, 768, 1920]) {
    await page.setViewportSize({ width, height: 700 });
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, `${width} px`).toBeLessThanOrEqual(window!);
  }
}
