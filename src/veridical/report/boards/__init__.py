"""The board: many profiles as one static site, models by questions."""

from veridical.report.boards.board import BoardModel, ProfileBoard, board_of
from veridical.report.boards.hub import write_hub_files
from veridical.report.boards.site import write_site

__all__ = ["BoardModel", "ProfileBoard", "board_of", "write_hub_files", "write_site"]
