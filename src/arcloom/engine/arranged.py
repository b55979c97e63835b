"""The arrays that ``machine.arrange`` writes plans to."""

import numpy as np

from arcloom.engine.columns import Words
from arcloom.engine.compile.call import entry_point
from arcloom.engine.machine.arrange import FRAME_MARK, GROUP, MARK, WORKING, GroupTables, Plan
from arcloom.engine.machine.records import FRAME, NODE
from arcloom.engine.tables import Tables

LINKS = 8
"""Initial number of links of a plan per node and link of the graph. A node is listed in each frame in which it runs."""


class ArrangedPlan:
    """A plan with room for ``times`` the nodes and frames of a whole graph, and for a number of groups."""

    def __init__(
        self, tables: Tables, programs: Words, steps: Words, *, links: int = 0, groups: int = 1, times: int = 1
    ) -> None:
        nodes, frames, listed = len(tables.nodes), len(tables.frames), len(tables.nodes) + len(tables.links)
        links = links or LINKS * times * (listed + len(steps)) + 1024
        working = WORKING.table(1)
        scratch = np.empty(2 * listed + 64, np.int64)
        self.nodes, self.frames = np.empty(times * nodes * NODE.size, np.int64), np.zeros(times * frames, np.int64)
        self.links, self.groups = np.empty(links + listed + len(steps) + 64, np.int64), GROUP.table(groups)
        working["room"], working["links_room"] = len(scratch), links
        working["nodes_room"], working["frames_room"] = len(self.nodes), len(self.frames)
        working["most_nodes"], working["most_frames"] = nodes * NODE.size, frames * FRAME.size
        graph = (tables.nodes.words, tables.links, tables.frames.words, programs, steps)
        marks = MARK.table(nodes).words, FRAME_MARK.table(frames).words
        self.working = working
        self.graph = GroupTables(*graph, *marks, scratch, working.words)
        self.plan = Plan(self.nodes, self.links, self.frames, self.groups.words, 0, 0, 0)

    def arrange_each(self, members: Words) -> None:
        """Arrange each program as a group by itself; the arrays grow as needed."""
        done = 0
        while done < len(members):
            at = self.plan._replace(
                first_node=int(self.working["nodes_used"][0]), first_frame=int(self.working["frames_used"][0])
            )
            done = entry_point("arrange_groups")(self.graph, at, members, done, len(members))
            if done < len(members):
                self._grow()

    def _grow(self) -> None:
        self.nodes, self.frames = _doubled(self.nodes), _doubled(self.frames)
        room = 2 * int(self.working["links_room"][0])
        self.links = np.concatenate([self.links, np.empty(room, np.int64)])
        self.working["links_room"] = room
        self.working["nodes_room"], self.working["frames_room"] = len(self.nodes), len(self.frames)
        self.plan = Plan(self.nodes, self.links, self.frames, self.groups.words, 0, 0, 0)

    @property
    def used(self) -> tuple[Words, Words, Words]:
        """The words of nodes, links and frames that the groups use."""
        nodes, frames, links = (int(self.working[f"{name}_used"][0]) for name in ("nodes", "frames", "links"))
        return self.nodes[:nodes], self.links[:links], self.frames[:frames]


def _doubled(words: Words) -> Words:
    return np.concatenate([words, np.zeros_like(words)])
