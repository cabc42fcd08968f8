"""What every server of a test run finds read: the process that forks them imports this, once.

Reading and packing the pages' files is most of the work of a server's start.
"""

from companion.i18n import web_root
from companion.server.assets import PUBLIC, Assets
from tests.helpers.assets import share_assets

share_assets()
Assets(web_root(), *PUBLIC)
