import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Layers from "lucide-react/icons/layers";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import User from "lucide-react/icons/user";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { nameOf } from "../../components/PersonMark.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { client } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { colleaguesLike } from "../../shared/colleagues.queries.ts";
import { instanceList } from "../../shared/instances.queries.ts";
import type { Command } from "./command.ts";

/** Of each kind. */
const FOUND = 5;

/**
 * What the service has of what was typed: one's devices, recipes to start from, and, for managers, people. With nothing typed, the
 * devices that changed last.
 */
export function useFound(typed: string): { commands: Command[]; isBusy: boolean; hasFailed: boolean } {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const search = useDebounced(typed.trim());
  const isManager = me.role === "manager";
  // Operators have none of it.
  const isCustomer = me.role !== "operator";
  const isAsked = search !== "" && isCustomer;
  const page = { page: 1, page_size: FOUND };
  const devices = useQuery({
    ...instanceList({
      ...page,
      ordering: "-updated_at",
      ...(isAsked && { search }),
      organization_uuid: me.organization?.uuid,
    }),
    enabled: isCustomer,
  });
  const recipes = useQuery({
    queryKey: ["recipes", "list", { ...page, search }],
    queryFn: ({ signal }) => client.recipes.list({ query: { ...page, search } }, { signal }),
    enabled: isAsked,
    placeholderData: isAsked ? keepPreviousData : undefined,
  });
  const people = useQuery({
    ...colleaguesLike(search),
    enabled: isManager && isAsked,
    placeholderData: isAsked ? keepPreviousData : undefined,
  });
  const asked = [devices, ...(isAsked ? [recipes, ...(isManager ? [people] : [])] : [])];
  const commands = [
    ...(devices.data?.results ?? []).map(({ uuid, name, recipe, owner }): Command => ({
      id: `device ${uuid}`,
      group: "devices",
      title: name,
      detail: owner.uuid === me.uuid ? recipe?.name : nameOf(owner),
      glyph: MonitorSmartphone,
      run: () => void navigate(`/instance/${uuid}`),
    })),
    ...(isAsked ? (recipes.data?.results ?? []) : []).map(({ uuid, name, arch }): Command => ({
      id: `start ${uuid}`,
      group: "recipes",
      title: t("palette.start", { name }),
      // Official recipes of one name differ in it.
      detail: arch ?? undefined,
      glyph: Layers,
      run: () => void navigate(`/start/${uuid}`),
    })),
    ...(isAsked && isManager ? (people.data?.results ?? []) : []).map((person): Command => ({
      id: `person ${person.uuid}`,
      group: "people",
      title: nameOf(person),
      detail: t("palette.devicesOf", { email: person.email }),
      glyph: User,
      run: () => void navigate(`/launchpad?whose=organization&search=${encodeURIComponent(person.email)}`),
    })),
  ];
  return {
    commands,
    isBusy: search !== typed.trim() || asked.some(({ isFetching }) => isFetching),
    hasFailed: asked.some(({ isError }) => isError),
  };
}
