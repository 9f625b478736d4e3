"""Starts moto's server without a fault of its CloudFormation, which AWS's does not have.

moto 5.2.5 keeps a resource that an update has removed among those that exist (ResourceMap.update, _parsed_resources). A later update
that has it again finds it there and creates nothing: a function that was released, reverted and released again would be missing.
"""

import sys

from moto.cloudformation.parsing import ResourceMap
from moto.server import main

delete_resource = ResourceMap._delete_resource
update = ResourceMap.update


def delete_and_forget(self, resource, resource_json):
    delete_resource(self, resource, resource_json)
    # The deletion of a whole stack forgets by itself.
    if getattr(self, "is_updating", False):
        for name in [name for name, known in self._parsed_resources.items() if known is resource]:
            del self._parsed_resources[name]


def update_and_forget(self, template, parameters=None):
    self.is_updating = True
    try:
        update(self, template, parameters)
    finally:
        self.is_updating = False


ResourceMap._delete_resource = delete_and_forget
ResourceMap.update = update_and_forget
if __name__ == "__main__":
    sys.exit(main())
