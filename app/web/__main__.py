"""The app of one visitor, started by the server with limits."""

from app.cli import main
from app.web.limits import restrict_visitor

restrict_visitor()
main()
