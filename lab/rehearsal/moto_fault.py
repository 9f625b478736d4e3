"""Shows the fault of moto that moto_server.py avoids: a stack with two functions releases the second, reverts it and releases it again.

`python moto_fault.py` in moto's environment prints, after each update, the functions that exist: first in moto as it is, then without the fault.
"""

import io
import json
import os
import zipfile

import boto3
from moto import mock_aws

os.environ.update(AWS_ACCESS_KEY_ID="fault", AWS_SECRET_ACCESS_KEY="fault")
region = "eu-central-1"


def template(setting, names):
    role = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": []}}}
    functions = {
        name: {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "FunctionName": name,
                "Handler": "index.handler",
                "Runtime": "nodejs24.x",
                "Role": {"Fn::GetAtt": ["Role", "Arn"]},
                "Code": {"S3Bucket": "code", "S3Key": "index.zip"},
                "Environment": {"Variables": {"SETTING": setting}},
            },
        }
        for name in names
    }
    return json.dumps({"Resources": {"Role": role, **functions}})


@mock_aws
def show(title):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("index.js", "")
    s3 = boto3.client("s3", region)
    s3.create_bucket(Bucket="code", CreateBucketConfiguration={"LocationConstraint": region})
    s3.put_object(Bucket="code", Key="index.zip", Body=archive.getvalue())
    stacks = boto3.client("cloudformation", region)
    functions = boto3.client("lambda", region)
    print(title)
    for step, setting, names in [
        ("created", "1", ["First", "Second"]),
        ("updated", "2", ["First", "Second"]),
        ("reverted", "3", ["First"]),
        ("released again", "2", ["First", "Second"]),
    ]:
        deploy = stacks.create_stack if step == "created" else stacks.update_stack
        deploy(StackName="fault", TemplateBody=template(setting, names), Capabilities=["CAPABILITY_IAM"])
        found = functions.list_functions()["Functions"]
        print(f"  {step}:", ", ".join(f"{one['FunctionName']} {one['Environment']['Variables']['SETTING']}" for one in found))


show("moto as it is")
import moto_server  # noqa: E402, F401 removes the fault

show("without the fault")
